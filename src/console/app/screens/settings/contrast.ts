/** Papers and surfaces of the pages, in both schemes. The server refuses colours that cannot be seen on them. */
const LIGHT = ["#faf9f7", "#ffffff"] as const;
const DARK = ["#131316", "#1b1c20"] as const;
/** The least contrast with which something is seen (WCAG 2.2, 1.4.11). */
export const LEAST = 3;

/** True for a colour that can be shown: `#2f6f4e`. */
export const isColour = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text.trim());

/** Returns how well a colour is seen on the pages, at its worst in each scheme. */
export function contrasts(accent: string): { light: number; dark: number } {
  const worst = (papers: readonly string[]) => Math.min(...papers.map((paper) => contrast(accent, paper)));
  return { light: floored(worst(LIGHT)), dark: floored(worst(DARK)) };
}

/** Returns the colour of a sign on a colour. */
export const textOn = (accent: string): string =>
  contrast(accent, "#ffffff") >= contrast(accent, "#131316") ? "#ffffff" : "#131316";

const floored = (ratio: number) => Math.floor(10 * ratio) / 10;

function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

function luminance(hex: string): number {
  const value = Number.parseInt(hex.trim().slice(1), 16);
  const [r = 0, g = 0, b = 0] = [value >> 16, (value >> 8) & 255, value & 255].map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
