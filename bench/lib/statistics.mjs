/** @returns the median of some numbers with the quartiles around it */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return { median: at(sorted, 0.5), low: at(sorted, 0.25), high: at(sorted, 0.75) };
}

function at(sorted, fraction) {
  const position = (sorted.length - 1) * fraction;
  const below = sorted[Math.floor(position)];
  const above = sorted[Math.ceil(position)];
  return below + (above - below) * (position % 1);
}
