import type { DeviceRow } from "./store.ts";

const DAY_MS = 24 * 60 * 60_000;

/** Until when a device may play, and what it knows of the time. */
export type Lease = Pick<DeviceRow, "leaseUntil" | "syncedAt" | "deviceAt" | "latestAt">;

/**
 * Returns the latest moment that the device knows of, by the server's clock, in epoch milliseconds. A clock that was set back does not make it
 * earlier.
 */
export const latestMoment = ({ syncedAt, deviceAt, latestAt }: Lease, now = Date.now()): number =>
  Math.max(syncedAt, latestAt, syncedAt + now - deviceAt);

/** Returns the latest moment after `ms` have passed, which a clock that was set back does not show. */
export const momentAfter = (lease: Lease, ms: number, now = Date.now()): number =>
  Math.max(latestMoment(lease, now), lease.latestAt + ms);

/** True when the device must reach the server before it plays again. */
export const isLeaseOver = (lease: Lease, now = Date.now()): boolean =>
  latestMoment(lease, now) >= lease.leaseUntil;

/** Returns how many whole days ago the device reached the server. */
export const daysUnchecked = (lease: Lease, now = Date.now()): number =>
  Math.floor((latestMoment(lease, now) - lease.syncedAt) / DAY_MS);
