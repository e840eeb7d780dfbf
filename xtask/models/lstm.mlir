// A step of an LSTM: four gates from one product of the input and one of the state.
func.func @step(%x: tensor<8x64xf32>, %h: tensor<8x64xf32>, %c: tensor<8x64xf32>, %wx: tensor<64x256xf32>,
                %wh: tensor<64x256xf32>, %b: tensor<256xf32>) -> (tensor<8x64xf32>, tensor<8x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %eg = tensor.empty() : tensor<8x256xf32>
  %ig = linalg.fill ins(%zero : f32) outs(%eg : tensor<8x256xf32>) -> tensor<8x256xf32>
  %gx = linalg.matmul ins(%x, %wx : tensor<8x64xf32>, tensor<64x256xf32>) outs(%ig : tensor<8x256xf32>) -> tensor<8x256xf32>
  %gh = linalg.matmul ins(%h, %wh : tensor<8x64xf32>, tensor<64x256xf32>) outs(%gx : tensor<8x256xf32>) -> tensor<8x256xf32>
  %g = linalg.generic {
      indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%gh, %b : tensor<8x256xf32>, tensor<256xf32>) outs(%eg : tensor<8x256xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.addf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<8x256xf32>
  %i = tensor.extract_slice %g[0, 0] [8, 64] [1, 1] : tensor<8x256xf32> to tensor<8x64xf32>
  %f = tensor.extract_slice %g[0, 64] [8, 64] [1, 1] : tensor<8x256xf32> to tensor<8x64xf32>
  %u = tensor.extract_slice %g[0, 128] [8, 64] [1, 1] : tensor<8x256xf32> to tensor<8x64xf32>
  %o = tensor.extract_slice %g[0, 192] [8, 64] [1, 1] : tensor<8x256xf32> to tensor<8x64xf32>
  %e = tensor.empty() : tensor<8x64xf32>
  %new:2 = linalg.generic {
      indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%i, %f, %u, %o, %c : tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>)
      outs(%e, %e : tensor<8x64xf32>, tensor<8x64xf32>) {
  ^bb0(%ai: f32, %af: f32, %au: f32, %ao: f32, %ac: f32, %o1: f32, %o2: f32):
    %ni = arith.negf %ai : f32
    %xi = math.exp %ni : f32
    %di = arith.addf %xi, %one : f32
    %si = arith.divf %one, %di : f32
    %nf = arith.negf %af : f32
    %xf = math.exp %nf : f32
    %df = arith.addf %xf, %one : f32
    %sf = arith.divf %one, %df : f32
    %no = arith.negf %ao : f32
    %xo = math.exp %no : f32
    %do = arith.addf %xo, %one : f32
    %so = arith.divf %one, %do : f32
    %tu = math.tanh %au : f32
    %kept = arith.mulf %sf, %ac : f32
    %added = arith.mulf %si, %tu : f32
    %cell = arith.addf %kept, %added : f32
    %tc = math.tanh %cell : f32
    %out = arith.mulf %so, %tc : f32
    linalg.yield %out, %cell : f32, f32
  } -> (tensor<8x64xf32>, tensor<8x64xf32>)
  return %new#0, %new#1 : tensor<8x64xf32>, tensor<8x64xf32>
}
