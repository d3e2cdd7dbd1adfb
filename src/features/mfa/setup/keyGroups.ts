/** A secret key in groups of four, the last one shorter where it has to be: the eye keeps its place while typing. */
export function keyGroups(key: string): readonly string[] {
  return key.match(/.{1,4}/gsu) ?? [];
}
