/** Returns what is kept under a key, made when it is not there; beyond `most` entries, the oldest one is forgotten. */
export function keeping<Value>(
  entries: Map<string, Value>,
  most: number,
  key: string,
  make: () => Value,
): Value {
  const known = entries.get(key);
  if (known !== undefined || entries.has(key)) return known as Value;
  const made = make();
  const [oldest] = entries.keys();
  if (entries.size >= most && oldest !== undefined) entries.delete(oldest);
  entries.set(key, made);
  return made;
}
