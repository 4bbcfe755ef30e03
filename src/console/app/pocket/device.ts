import { api, dataOf } from "../api/client.ts";
import { root } from "../first-data.ts";
import { type DeviceRow, type Owner, prefixOf } from "./store.ts";

const SYSTEMS = ["iPhone", "iPad", "Android", "Windows", "Mac", "CrOS", "Linux"];
const MAX_NAME = 60;

/** Has the worker look after the documents of the console. A browser that refuses it keeps music all the same. */
export async function registerWorker(): Promise<void> {
  const options = { scope: `${root}/library`, updateViaCache: "none" } as const;
  await navigator.serviceWorker.register(`${root}/library/sw.js`, options).catch(() => undefined);
}

/** True where the console runs as an app of its own, from the home screen or the dock. */
export const isInstalled = (): boolean => matchMedia("(display-mode: standalone)").matches;

/** True on an iPhone, and on an iPad, which calls itself a Mac. */
export const isApplePhone = (): boolean =>
  /iPhone|iPad/.test(navigator.userAgent) ||
  (navigator.userAgent.includes("Mac") && navigator.maxTouchPoints > 1);

/** Makes this browser one that keeps music of a library. @throws ApiError `too_many_devices`. */
export async function createDevice(owner: Owner, libraryName: string): Promise<DeviceRow> {
  const { id, token } = await dataOf(api.POST("/app/pocket", { body: { name: await nameOfDevice() } }));
  const never = { leaseUntil: 0, syncedAt: 0, deviceAt: 0, latestAt: 0 };
  return { ...owner, ...never, key: prefixOf(owner) + id, id, token, libraryName, wants: [] };
}

type Described = {
  userAgentData?: { getHighEntropyValues?: (hints: string[]) => Promise<{ model?: string }> };
};

/** What its person would call it: the model where the browser tells, else the system. */
async function nameOfDevice(): Promise<string> {
  const { userAgentData } = navigator as Described;
  const described = await userAgentData?.getHighEntropyValues?.(["model"]).catch(() => undefined);
  const system = SYSTEMS.find((each) => navigator.userAgent.includes(each));
  return (described?.model || system || "Browser").slice(0, MAX_NAME);
}
