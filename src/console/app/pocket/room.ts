/** Returns how much more the browser would keep, in bytes, as it estimates it; undefined: it does not say. */
export async function readRoom(): Promise<number | undefined> {
  const { quota, usage = 0 } = (await navigator.storage?.estimate().catch(() => undefined)) ?? {};
  return quota === undefined ? undefined : Math.max(0, quota - usage);
}
