'use strict';
const main = document.querySelector('main'), says = document.querySelector('#says');
const layouts = [];

function make(parent, tag, text, name) {
  const node = parent.appendChild(document.createElement(tag));
  if (text !== undefined) node.textContent = text;
  if (name) node.className = name;
  return node;
}

// The lane gives the hue by the golden angle, the slot the shade.
function color(lane, slot, slots) {
  const shade = slots > 1 ? slot / (slots - 1) : 0;
  return `hsl(${(lane * 137.507764) % 360} 75% ${88 - 22 * shade}%)`;
}

// A bar at the left edge of what belongs to a subgroup, where there are several.
function edge(g, groups) { return groups > 1 ? `inset 5px 0 hsl(${(g * 137.507764 + 210) % 360} 90% 38%)` : ''; }

// What mouse, finger and keyboard can point at.
function reach(node, show) { node.onmouseenter = node.onclick = node.onfocus = show; }

// Arrow keys go from cell to cell.
function walk(td, at, step) {
  td.tabIndex = at ? -1 : 0;
  td.onkeydown = event => {
    const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -step.columns, ArrowDown: step.columns }[event.key];
    const next = by && step.cells[at + by];
    if (next) { event.preventDefault(); next.td.focus(); }
  };
}

function range(n) { return [...Array(n).keys()]; }
function product(list) { return list.reduce((a, b) => a * b, 1); }
function count(digits) { return product(digits.map(d => d[0])); }

// The coordinate that slot, lane and subgroup hold, or null.
function coordinate(data, numbers) {
  const at = data.shape.map(() => 0);
  for (let h = 0; h < 3; h++) {
    let rest = numbers[h];
    for (const [extent, weights, held] of data.digits[h]) {
      const value = rest % extent;
      rest = (rest - value) / extent;
      if (!held && value) return null;
      weights.forEach((weight, d) => { at[d] += value * weight; });
    }
  }
  if (data.swizzle) {
    let packed = 0, place = 0, out = 0;
    for (let d = at.length - 1; d >= 0; d--) {
      packed |= (at[d] & ((1 << data.bits[d]) - 1)) << place;
      place += data.bits[d];
    }
    data.swizzle.forEach((column, bit) => { if (packed >> bit & 1) out ^= column; });
    for (let d = at.length - 1; d >= 0; d--) {
      const mask = (1 << data.bits[d]) - 1;
      at[d] = (at[d] & ~mask) | (out & mask);
      out >>= data.bits[d];
    }
  }
  return at;
}

function few(n, noun) { return `${n} ${noun}${n === 1 ? '' : 's'}`; }

function index(at, shape) { return at.reduce((sum, c, d) => sum * shape[d] + c, 0); }

function stepper(parent, label, n, change) {
  const box = make(parent, 'p', label + ' ');
  const input = make(box, 'input');
  Object.assign(input, { type: 'range', min: 0, max: n - 1, value: 0 });
  const shown = make(box, 'span');
  input.oninput = () => { shown.textContent = ' ' + change(+input.value); };
  return input;
}

function drawLayout(section, data) {
  const [slots, lanes, groups] = data.digits.map(count);
  data.notes.forEach(note => make(section, 'p', note));
  const cells = range(product(data.shape)).map(() => ({ owners: [] }));
  for (let g = 0; g < groups; g++) for (let l = 0; l < lanes; l++) for (let s = 0; s < slots; s++) {
    const at = coordinate(data, [s, l, g]);
    if (at) cells[index(at, data.shape)].owners.push([g, l, s]);
  }
  const self = { data, cells, lanes: [] };
  layouts.push(self);
  const axes = data.names.slice(-2);
  const where = axes.length > 1 ? `rows ${axes[0]}, columns ${axes[1]}` : `columns ${axes}`;
  make(section, 'p', `${few(groups, 'subgroup')} of ${few(lanes, 'lane')}, ${few(slots, 'slot')} each; ${where}, a cell is lane:slot${groups > 1 ? ', its left edge the subgroup' : ''}`);
  const slotStep = stepper(section, 'slot', slots + 1, value => {
    cells.forEach(cell => cell.td.classList.toggle('dim', value > 0 && !cell.owners.some(o => o[2] === value - 1)));
    return value ? value - 1 : 'all';
  });
  const columns = data.shape.length ? data.shape[data.shape.length - 1] : 1;
  const rows = data.shape.length > 1 ? data.shape[data.shape.length - 2] : 1;
  const key = cell => cell && [...new Set(cell.owners.map(o => o[0]))].join();
  for (let page = 0; page * rows * columns < cells.length; page++) {
    if (cells.length > rows * columns) {
      let rest = page;
      const outer = data.shape.slice(0, -2).map(() => 0);
      for (let d = outer.length - 1; d >= 0; d--) { outer[d] = rest % data.shape[d]; rest = (rest - outer[d]) / data.shape[d]; }
      make(section, 'p', outer.map((c, d) => `${data.names[d]} = ${c}`).join(', '));
    }
    const table = make(section, 'table'), head = make(table, 'tr');
    make(head, 'th');
    range(columns).forEach(c => make(head, 'th', c));
    for (let r = 0; r < rows; r++) {
      const tr = make(table, 'tr');
      make(tr, 'th', r);
      for (let c = 0; c < columns; c++) {
        const number = (page * rows + r) * columns + c, cell = cells[number];
        const td = cell.td = make(tr, 'td');
        if (cell.owners.length) {
          const [, lane, slot] = cell.owners[0];
          td.textContent = lane;
          make(td, 'small', ':' + slot);
          td.style.background = color(lane, slot, slots);
          td.style.boxShadow = edge(cell.owners[0][0], groups);
        } else td.className = 'none';
        if (c + 1 < columns && ((c + 1) % data.tile[1] === 0 || key(cells[number + 1]) !== key(cell))) td.classList.add('right');
        if (r + 1 < rows && ((r + 1) % data.tile[0] === 0 || key(cells[number + columns]) !== key(cell))) td.classList.add('below');
        const at = [page, r, c].slice(-Math.max(1, Math.min(2, data.shape.length)));
        reach(td, () => point(self, number, at));
        walk(td, number, { cells, columns });
      }
    }
  }
  slotStep.oninput();
  for (let g = 0; g < groups; g++) {
    const box = make(section, 'div', groups > 1 ? `subgroup ${g}: lanes ` : 'lanes ', 'lanes');
    for (let l = 0; l < lanes; l++) {
      const chip = make(box, 'span', l);
      chip.style.background = color(l, 0, slots);
      chip.style.boxShadow = edge(g, groups);
      chip.tabIndex = 0;
      reach(chip, () => { mark([[g, l]]); says.textContent = `subgroup ${g}, lane ${l}: ${held(g, l)}`; });
    }
  }
}

// What a lane holds in each of the layouts.
function held(g, l) {
  return layouts.map(({ data }) => range(count(data.digits[0])).map(s => coordinate(data, [s, l, g]))
    .map(at => at ? `(${at})` : '-').slice(0, 32).join(' ')).join('  |  ');
}

function point(layout, number, at) {
  const cell = layout.cells[number];
  mark(cell.owners.map(o => [o[0], o[1]]), number, layout.data.shape);
  const all = layouts.filter(other => String(other.data.shape) === String(layout.data.shape)).map(other =>
    other.cells[number].owners.map(([g, l, s]) => `subgroup ${g} lane ${l} slot ${s}`).join(', ') || 'nothing');
  says.textContent = `${layout.data.names.slice(-at.length).map((n, d) => `${n} ${at[d]}`).join(', ')}: ${all.join('  →  ')}`;
}

// Marks the cells of lanes, and one element in all layouts of its shape.
function mark(owners, number, shape) {
  const set = new Set(owners.map(String));
  for (const { data, cells } of layouts) cells.forEach((cell, n) => {
    const same = n === number && String(shape) === String(data.shape);
    cell.td.classList.toggle('hot', same || cell.owners.some(([g, l]) => set.has(`${g},${l}`)));
  });
}

function drawBanks(section, data) {
  let access = 0, phase = 0;
  const info = make(section, 'p'), table = document.createElement('table');
  table.className = 'banks';
  function show() {
    // Word to lanes.
    const words = new Map();
    for (const lane of data.phases[phase]) {
      const address = data.accesses[access][lane];
      if (address == null) continue;
      for (let w = Math.floor(address / data.word); w * data.word < address + data.bytes; w++) {
        words.set(w, [...(words.get(w) || []), lane]);
      }
    }
    const waits = range(data.count).map(() => 0);
    for (const w of words.keys()) waits[w % data.count]++;
    const worst = Math.max(...waits), ideal = Math.ceil(words.size / data.count);
    info.textContent = `${data.bytes} bytes each; ${few(worst, 'wavefront')}, ${ideal} without conflicts`;
    table.replaceChildren();
    const head = make(table, 'tr');
    make(head, 'th', 'bytes \\ bank');
    range(data.count).forEach(b => make(head, 'th', b));
    const rows = [...new Set([...words.keys()].map(w => Math.floor(w / data.count)))].sort((a, b) => a - b);
    for (const row of rows) {
      const tr = make(table, 'tr');
      make(tr, 'th', row * data.count * data.word);
      for (let b = 0; b < data.count; b++) {
        const lanes = words.get(row * data.count + b), td = make(tr, 'td', lanes ? lanes[0] + (lanes[1] === undefined ? '' : '+') : '');
        if (!lanes) continue;
        td.title = 'lanes ' + lanes.join(', ');
        td.style.background = color(lanes[0], 0, 1);
        if (waits[b] > ideal) td.className = 'clash';
      }
    }
  }
  stepper(section, 'instruction', data.accesses.length, value => { access = value; show(); return value; }).oninput();
  stepper(section, 'phase', data.phases.length, value => { phase = value; show(); return value; }).oninput();
  section.append(table);
}

function drawText(section, data) { make(section, 'pre', data.text); }

for (const data of JSON.parse(document.querySelector('#data').textContent)) {
  const section = make(main, 'section');
  make(section, 'h2', data.title);
  ({ layout: drawLayout, banks: drawBanks, text: drawText })[data.kind](section, data);
}
