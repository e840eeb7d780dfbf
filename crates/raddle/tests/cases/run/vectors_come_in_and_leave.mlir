// A function that takes and gives vectors runs at every stage: below its layouts they go through memory. What it
// calls is taken in, also where that has several ways out.
// RUN: raddle run %s --function=f --input=256xf32=8 --input=f32=-1 --input=i1=1 --compare=vector,laid_out,distributed,lowered | grep correct
// RUN: raddle run %s --function=f --input=256xf32=8 --input=f32=-1 --input=i1=1 --expected_output=256xf32=12 --expected_output=f32=1 --expected_output=f32=12 | grep correct
// RUN: raddle run %s --function=f --input=256xf32=8 --input=f32=-1 --input=i1=1 --validate | grep behind
// RUN: raddle run %s --function=f --input=256xf32=8 --input=f32=-1 --input=i1=0 --compare=vector,laid_out,distributed,lowered | grep correct
// RUN: raddle run %s --function=f --input=256xf32=8 --input=f32=-1 --input=i1=0 --expected_output=256xf32=16 --expected_output=f32=2 --expected_output=f32=16 | grep correct
// RUN: raddle run %s --function=f --input=256xf32=8 --input=f32=-1 --input=i1=0 --validate | grep behind
#l = #iree_vector_ext.nested_layout<subgroup_tile = [1], batch_tile = [2], outer_tile = [1], thread_tile = [32],
  element_tile = [4], subgroup_strides = [0], thread_strides = [1]>
func.func @half(%v: vector<256xf32>, %b: i1) -> (vector<256xf32>, f32) {
  %h = arith.constant dense<0.5> : vector<256xf32>
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  cf.cond_br %b, ^half, ^whole
^half:
  %p = arith.mulf %v, %h : vector<256xf32>
  return %p, %one : vector<256xf32>, f32
^whole:
  return %v, %two : vector<256xf32>, f32
}
func.func @f(%v: vector<256xf32>, %n: f32, %b: i1) -> (vector<256xf32>, f32, vector<f32>) attributes {translation_info =
    #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [32, 1, 1]
    subgroup_size = 32>} {
  %a = iree_vector_ext.to_layout %v to layout(#l) : vector<256xf32>
  %w:2 = call @half(%a, %b) : (vector<256xf32>, i1) -> (vector<256xf32>, f32)
  %c = arith.addf %a, %w#0 : vector<256xf32>
  %s = vector.multi_reduction <maximumf>, %c, %n [0] : vector<256xf32> to f32
  %r = vector.broadcast %s : f32 to vector<f32>
  return %c, %w#1, %r : vector<256xf32>, f32, vector<f32>
}

// $ raddle run %s --function=f --input=256xf32=8 --input=f32=-1 --input=i1=1 --compare=vector,laid_out,distributed,lowered | grep correct
// correct: stage `vector`, result 0, all 256 elements equal the reference bit for bit
// correct: stage `vector`, result 1, all 1 elements equal the reference bit for bit
// correct: stage `vector`, result 2, all 1 elements equal the reference bit for bit
// correct: stage `laid_out`, result 0, all 256 elements equal the reference bit for bit
// correct: stage `laid_out`, result 1, all 1 elements equal the reference bit for bit
// correct: stage `laid_out`, result 2, all 1 elements equal the reference bit for bit
// correct: stage `laid_out`, result 0, all 256 elements equal stage `vector` bit for bit
// correct: stage `laid_out`, result 1, all 1 elements equal stage `vector` bit for bit
// correct: stage `laid_out`, result 2, all 1 elements equal stage `vector` bit for bit
// correct: stage `distributed`, result 0, all 256 elements equal the reference bit for bit
// correct: stage `distributed`, result 1, all 1 elements equal the reference bit for bit
// correct: stage `distributed`, result 2, all 1 elements equal the reference bit for bit
// correct: stage `distributed`, result 0, all 256 elements equal stage `vector` bit for bit
// correct: stage `distributed`, result 1, all 1 elements equal stage `vector` bit for bit
// correct: stage `distributed`, result 2, all 1 elements equal stage `vector` bit for bit
// correct: stage `lowered`, result 0, all 256 elements equal the reference bit for bit
// correct: stage `lowered`, result 1, all 1 elements equal the reference bit for bit
// correct: stage `lowered`, result 2, all 1 elements equal the reference bit for bit
// correct: stage `lowered`, result 0, all 256 elements equal stage `vector` bit for bit
// correct: stage `lowered`, result 1, all 1 elements equal stage `vector` bit for bit
// correct: stage `lowered`, result 2, all 1 elements equal stage `vector` bit for bit

// $ raddle run %s --function=f --input=256xf32=8 --input=f32=-1 --input=i1=1 --expected_output=256xf32=12 --expected_output=f32=1 --expected_output=f32=12 | grep correct
// correct: result 0, all 256 elements equal the expected output bit for bit
// correct: result 1, all 1 elements equal the expected output bit for bit
// correct: result 2, all 1 elements equal the expected output bit for bit

// $ raddle run %s --function=f --input=256xf32=8 --input=f32=-1 --input=i1=1 --validate | grep behind
// validated: the program means the same behind make-kernel, lay-out, overlap, distribute, lower

// $ raddle run %s --function=f --input=256xf32=8 --input=f32=-1 --input=i1=0 --compare=vector,laid_out,distributed,lowered | grep correct
// correct: stage `vector`, result 0, all 256 elements equal the reference bit for bit
// correct: stage `vector`, result 1, all 1 elements equal the reference bit for bit
// correct: stage `vector`, result 2, all 1 elements equal the reference bit for bit
// correct: stage `laid_out`, result 0, all 256 elements equal the reference bit for bit
// correct: stage `laid_out`, result 1, all 1 elements equal the reference bit for bit
// correct: stage `laid_out`, result 2, all 1 elements equal the reference bit for bit
// correct: stage `laid_out`, result 0, all 256 elements equal stage `vector` bit for bit
// correct: stage `laid_out`, result 1, all 1 elements equal stage `vector` bit for bit
// correct: stage `laid_out`, result 2, all 1 elements equal stage `vector` bit for bit
// correct: stage `distributed`, result 0, all 256 elements equal the reference bit for bit
// correct: stage `distributed`, result 1, all 1 elements equal the reference bit for bit
// correct: stage `distributed`, result 2, all 1 elements equal the reference bit for bit
// correct: stage `distributed`, result 0, all 256 elements equal stage `vector` bit for bit
// correct: stage `distributed`, result 1, all 1 elements equal stage `vector` bit for bit
// correct: stage `distributed`, result 2, all 1 elements equal stage `vector` bit for bit
// correct: stage `lowered`, result 0, all 256 elements equal the reference bit for bit
// correct: stage `lowered`, result 1, all 1 elements equal the reference bit for bit
// correct: stage `lowered`, result 2, all 1 elements equal the reference bit for bit
// correct: stage `lowered`, result 0, all 256 elements equal stage `vector` bit for bit
// correct: stage `lowered`, result 1, all 1 elements equal stage `vector` bit for bit
// correct: stage `lowered`, result 2, all 1 elements equal stage `vector` bit for bit

// $ raddle run %s --function=f --input=256xf32=8 --input=f32=-1 --input=i1=0 --expected_output=256xf32=16 --expected_output=f32=2 --expected_output=f32=16 | grep correct
// correct: result 0, all 256 elements equal the expected output bit for bit
// correct: result 1, all 1 elements equal the expected output bit for bit
// correct: result 2, all 1 elements equal the expected output bit for bit

// $ raddle run %s --function=f --input=256xf32=8 --input=f32=-1 --input=i1=0 --validate | grep behind
// validated: the program means the same behind make-kernel, lay-out, overlap, distribute, lower
