import type { DeviceRow } from "./store.ts";

/** Until when a device may play, and what it knows of the time. */
type Lease = Pick<DeviceRow, "leaseUntil" | "syncedAt" | "deviceAt" | "latestAt">;

/**
 * Returns the latest moment that the device knows of, by the server's clock, in epoch milliseconds. A clock that was set back does not make it
 * earlier.
 */
const latestMoment = ({ syncedAt, deviceAt, latestAt }: Lease, now = Date.now()): number =>
  Math.max(syncedAt, latestAt, syncedAt + now - deviceAt);

/** True when the device must reach the server before it plays again. */
export const isLeaseOver = (lease: Lease, now = Date.now()): boolean =>
  latestMoment(lease, now) >= lease.leaseUntil;
