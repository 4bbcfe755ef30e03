/** Returns a list in a random order. */
export function shuffled<Each>(list: readonly Each[]): Each[] {
  const mixed = [...list];
  for (let last = mixed.length - 1; last > 0; last--) {
    const other = Math.floor(Math.random() * (last + 1));
    [mixed[last], mixed[other]] = [mixed[other] as Each, mixed[last] as Each]; // both are within the list
  }
  return mixed;
}
