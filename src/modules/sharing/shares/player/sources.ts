/** Returns what a player may play at an address, best first. */
export function sourcesOf(
  path: string,
  playable: readonly { kind: string; type: string }[],
): { path: string; type: string }[] {
  return playable.length > 1
    ? playable.map(({ kind, type }) => ({ path: `${path}&as=${kind}`, type }))
    : playable.map(({ type }) => ({ path, type }));
}
