// Runs a page in a document that is just enough, and prints what a reader would see: what each cell says, what pointing
// at a cell and at a lane says, which cells stay bright at a slot, and each instruction's and phase's wavefronts.
'use strict';
const page = require('fs').readFileSync(0, 'utf8');
const part = (open, close) => page.split(open)[1].split(close)[0];

class Node {
  constructor(tag) {
    Object.assign(this, { tag, children: [], style: {}, names: new Set(), text: '' });
    const names = this.names;
    this.classList = {
      add: name => names.add(name),
      toggle: (name, on) => { on ? names.add(name) : names.delete(name); },
    };
  }
  appendChild(node) { this.children.push(node); return node; }
  append(node) { this.children.push(node); }
  replaceChildren() { this.children = []; }
  set textContent(text) { this.text = String(text); this.children = []; }
  get textContent() { return this.text + this.children.map(node => node.textContent).join(''); }
  set className(name) { this.names.add(name); }
  focus() { this.onfocus(); }
  all(tag) { return this.children.flatMap(node => (node.tag === tag ? [node] : []).concat(node.all(tag))); }
}

const main = new Node('main'), says = new Node('p'), data = new Node('script');
data.text = part('id="data">', '</script>');
const document = {
  querySelector: name => ({ main, '#says': says, '#data': data })[name],
  createElement: tag => new Node(tag),
};
new Function('document', part('<script>', '</script>'))(document);

for (const section of main.children) {
  const title = section.children[0].textContent;
  const cells = section.all('td'), inputs = section.all('input'), spans = section.all('span');
  const hot = () => cells.map((cell, n) => cell.names.has('hot') ? n : -1).filter(n => n >= 0).join(' ');
  if (cells.some(cell => cell.onfocus)) {
    if (cells.filter(cell => cell.tabIndex === 0).length !== 1) console.log('one cell is reached by the tab key');
    console.log(`cells|${title}|${cells.map(cell => cell.textContent).join(' ')}`);
    console.log(`lines|${title}|${cells.map((cell, n) => cell.names.has('right') ? n : -1).filter(n => n >= 0).join(' ')}`);
    console.log(`edges|${title}|${new Set(cells.map(cell => cell.style.boxShadow)).size}`);
    cells[4].onkeydown({ key: 'ArrowRight', preventDefault() {} });
    console.log(`cell 5|${title}|${says.textContent}|${hot()}`);
    spans.filter(span => span.tabIndex === 0)[3].onclick();
    console.log(`lane 3|${title}|${says.textContent}|${hot()}`);
    inputs[0].value = 2;
    inputs[0].oninput();
    console.log(`slot 1|${title}|${cells.map((cell, n) => cell.names.has('dim') ? -1 : n).filter(n => n >= 0).join(' ')}`);
  }
  if (inputs.length === 2) {
    for (let access = 0; access <= inputs[0].max; access++) for (let phase = 0; phase <= inputs[1].max; phase++) {
      inputs[0].value = access;
      inputs[0].oninput();
      inputs[1].value = phase;
      inputs[1].oninput();
      console.log(`banks|${title}|${section.children[1].textContent}`);
    }
  }
}
