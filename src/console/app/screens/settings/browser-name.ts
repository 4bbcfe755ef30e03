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
  ["Linux", /\b(Linux|X11)/],
] as const;

/** Returns a browser's name and where it runs, `Firefox on Linux`; of another program, what it calls itself. */
export function browserName(userAgent: string | null): string {
  if (!userAgent) return "Unknown program";
  const browser = BROWSERS.find(([, pattern]) => pattern.test(userAgent))?.[0];
  const system = SYSTEMS.find(([, pattern]) => pattern.test(userAgent))?.[0];
  if (!browser) return userAgent.split(/[\s/(]/)[0] || "Unknown program";
  return system ? `${browser} on ${system}` : browser;
}
