import { isPublicIp } from "../../../net/address.ts";

/** What names a browser in what it sends, the most particular first: most browsers claim to be others too. */
const BROWSERS = [
  ["Edge", /\bEdg/],
  ["Opera", /\bOPR/],
  ["Firefox", /\b(Firefox|FxiOS)/],
  ["Chrome", /\b(HeadlessChrome|Chrome|CriOS|Chromium)/],
  ["Safari", /\bSafari/],
] as const;
const SYSTEMS = [
  ["iPhone", /\biPhone/],
  ["iPad", /\biPad/],
  ["Android", /\bAndroid/],
  ["Windows", /\bWindows/],
  ["Mac", /\bMac OS X/],
  ["ChromeOS", /\bCrOS/],
  ["Linux", /\b(Linux|X11)/],
] as const;
const UNKNOWN = "Unknown program";

/** Returns a browser's name and where it runs, `Firefox on Linux`; of another program, what it calls itself. */
export function deviceName(userAgent: string | null): string {
  if (!userAgent) return UNKNOWN;
  const browser = BROWSERS.find(([, pattern]) => pattern.test(userAgent))?.[0];
  const system = SYSTEMS.find(([, pattern]) => pattern.test(userAgent))?.[0];
  if (!browser) return userAgent.split(/[\s/(]/)[0] || UNKNOWN;
  return system ? `${browser} on ${system}` : browser;
}

/** Returns where an address is, as far as the address itself says: no service is asked. Null for what is no address. */
export function placeOf(ip: string | null): string | null {
  if (ip === null || !/[.:]/.test(ip)) return null;
  return isPublicIp(ip) ? ip : "This network";
}
