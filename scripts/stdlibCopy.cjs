// What the random generator of @stdlib needs of `blas-base-gcopy` and `array-to-json`: copying numbers from one array to another, without strides. The packages themselves know
// every kind of array there is (complex, boolean, boxed), 60 kB that a seed of eight words never meets. Only the page's build takes this instead; tests and the headless program use the packages.
/**
 * @param {number} count
 * @param {ArrayLike<number>} from
 * @param {number} _fromStride
 * @param {number[] | Uint32Array} to
 * @param {number} _toStride
 */
function copy(count, from, _fromStride, to, _toStride) {
  for (let i = 0; i < count; i++) to[i] = from[i] ?? 0;
  return to;
}

/**
 * @param {number} count
 * @param {ArrayLike<number>} from
 * @param {number} _fromStride
 * @param {number} fromOffset
 * @param {number[] | Uint32Array} to
 * @param {number} _toStride
 * @param {number} toOffset
 */
copy.ndarray = (count, from, _fromStride, fromOffset, to, _toStride, toOffset) => {
  for (let i = 0; i < count; i++) to[toOffset + i] = from[fromOffset + i] ?? 0;
  return to;
};

module.exports = copy;
