/** Papers and surfaces of the pages, in both schemes (`src/pages/styles/tokens.css`). */
const LIGHT = ["#faf9f7", "#ffffff"] as const;
const DARK = ["#131316", "#1b1c20"] as const;
/** The contrasts of shapes against their surroundings, and of text (WCAG 2.2, 1.4.11 and 1.4.3). */
const SEEN = 3;
const READ = 4.5;
const HEX = /^#[0-9a-f]{6}$/;
const STEP = 0.04;

type Rgb = readonly [red: number, green: number, blue: number];

/** Returns a colour as `#rrggbb`, or undefined for anything else. `#rgb` is allowed. */
export function readColour(text: string): string | undefined {
  const written = text.trim().toLowerCase();
  const [, r, g, b] = /^#?([0-9a-f])([0-9a-f])([0-9a-f])$/.exec(written) ?? [];
  if (r && g && b) return `#${r}${r}${g}${g}${b}${b}`;
  const whole = written.startsWith("#") ? written : `#${written}`;
  return HEX.test(whole) ? whole : undefined;
}

/** How well an accent is seen on the pages, at its worst in each scheme; 3 is enough. */
export function contrastsOf(accent: string): { light: number; dark: number } {
  const worst = (papers: readonly string[]) => Math.min(...papers.map((paper) => contrast(accent, paper)));
  return { light: rounded(worst(LIGHT)), dark: rounded(worst(DARK)) };
}

/** True for an accent that is seen on the pages in both schemes. */
export function isSeen(accent: string): boolean {
  const { light, dark } = contrastsOf(accent);
  return light >= SEEN && dark >= SEEN;
}

const rounded = (ratio: number) => Math.floor(10 * ratio) / 10;

/** Returns the style sheet of an accent: it takes the place of ours. Text in its colour is darker or lighter, to be read. */
export function accentCss(accent: string): string {
  const { light, dark, onGround } = readableAccents(accent);
  const rule = (ink: string) => `:root{--accent:${accent};--accent-ink:${ink};--on-accent:${onGround}}`;
  return `${rule(light)}@media (prefers-color-scheme:dark){${rule(dark)}}`;
}

/** Returns the colours of text in an accent in each scheme, and of text on a ground of it. */
export function readableAccents(accent: string): {
  light: string;
  dark: string;
  ground: string;
  onGround: string;
} {
  return {
    light: readable(accent, LIGHT, [0, 0, 0]),
    dark: readable(accent, DARK, [255, 255, 255]),
    ground: accent,
    onGround: onGround(accent),
  };
}

/** White, or the ink of our pages. A few accents are between the two, and only full black can be read on them. */
function onGround(accent: string): string {
  const best = contrast(accent, "#ffffff") >= contrast(accent, "#131316") ? "#ffffff" : "#131316";
  return contrast(accent, best) >= READ ? best : "#000000";
}

/** Returns the colour nearest to an accent, on the way to black or white, that can be read on papers. */
function readable(accent: string, papers: readonly string[], end: Rgb): string {
  for (let share = 0; share < 1; share += STEP) {
    const mixed = mix(rgbOf(accent), end, share);
    if (papers.every((paper) => contrast(mixed, paper) >= READ)) return mixed;
  }
  return hexOf(end);
}

function mix(from: Rgb, to: Rgb, share: number): string {
  const [r, g, b] = from.map((value, index) => value + ((to[index] ?? 0) - value) * share);
  return hexOf([r ?? 0, g ?? 0, b ?? 0]);
}

const hexOf = (rgb: Rgb) =>
  `#${rgb.map((value) => Math.round(value).toString(16).padStart(2, "0")).join("")}`;

function rgbOf(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

/** The contrast ratio of two colours, 1 to 21. */
function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = rgbOf(hex).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
