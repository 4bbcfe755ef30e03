/** @jsxRuntime automatic @jsxImportSource preact */
const TONES = 12;
const PRESSINGS = ["centred", "corner", "low", "side", "close"] as const;
type Pressing = (typeof PRESSINGS)[number];

/** Centre and radius of the disc on a square of 100. */
const DISCS: Readonly<Record<Pressing, readonly [x: number, y: number, radius: number]>> = {
  centred: [50, 50, 40],
  corner: [88, 88, 74],
  low: [50, 92, 66],
  side: [8, 46, 58],
  close: [62, 38, 88],
};
const GROOVES = [0.96, 0.91, 0.87, 0.79, 0.75, 0.7, 0.61, 0.57, 0.5, 0.44];

/**
 * A picture or, without one, a drawn disc. Its colour and position follow from `seed`, so the same item always has
 * the same cover. The title beside it says the same, so it is hidden from screen readers. A page that draws covers
 * needs {@link CoverShapes} once.
 *
 * @param src Path of the picture; undefined to draw one.
 */
export function Cover({
  seed,
  src,
  isLazy = false,
}: {
  seed: string;
  src?: string | undefined;
  isLazy?: boolean;
}) {
  if (src !== undefined)
    return (
      <img class="cover" src={src} alt="" decoding="async" {...(isLazy && { loading: "lazy" as const })} />
    );
  const { tone, pressing, turn } = designOf(seed);
  return (
    <svg class={`cover tone-${tone}`} viewBox="0 0 100 100" aria-hidden="true">
      <use href={`#${pressing}`} {...(turn > 0 && { transform: `rotate(${turn} 50 50)` })} />
    </svg>
  );
}

/** A cover in the row of a long list: the drawn disc is a background there, without grooves, which are too fine to see. */
export function RowCover({ seed, src }: { seed: string; src: string | undefined }) {
  if (src !== undefined) return <img key={src} class="cover" src={src} alt="" decoding="async" />;
  const { tone, pressing, turn } = designOf(seed);
  return <span class={`cover tone-${tone}`} aria-hidden="true" style={disc(pressing, turn)} />;
}

/** Returns the style of a disc, turned by quarters about the middle of its square. */
function disc(pressing: Pressing, turn: number): string {
  const [x, y, radius] = DISCS[pressing];
  const [left, top] = [
    [x, y],
    [100 - y, x],
    [100 - x, 100 - y],
    [y, 100 - x],
  ][turn / 90] ?? [x, y];
  const at = `at ${left}% ${top}%`;
  const rings =
    "var(--ground) 3.5%,var(--label) calc(3.5% + .7px) 30%,#0000 calc(30% + .7px) 100%,var(--ground) calc(100% + .7px)";
  const beams = "#ffffff17 0 26deg,#0000 0 180deg,#ffffff17 0 206deg,#0000 0";
  return `background:radial-gradient(${radius}% ${radius}% ${at},${rings}),conic-gradient(from ${28 + turn}deg ${at},${beams}),var(--disc)`;
}

/** The shapes that drawn covers are made of. */
export function CoverShapes() {
  return (
    <svg class="shapes" aria-hidden="true">
      {PRESSINGS.map((pressing) => (
        <Disc key={pressing} pressing={pressing} />
      ))}
    </svg>
  );
}

function Disc({ pressing }: { pressing: Pressing }) {
  const [x, y, radius] = DISCS[pressing];
  const ring = (share: number) => Math.round(10 * radius * share) / 10;
  return (
    <symbol id={pressing} viewBox="0 0 100 100">
      <rect width="100" height="100" class="c-ground" />
      <circle cx={x} cy={y} r={radius} class="c-disc" />
      {GROOVES.map((share) => (
        <circle key={share} cx={x} cy={y} r={ring(share)} class="c-groove" />
      ))}
      <path d={sheen(x, y, radius)} class="c-sheen" />
      <circle cx={x} cy={y} r={ring(0.3)} class="c-label" />
      <circle cx={x} cy={y} r={ring(0.035)} class="c-ground" />
    </symbol>
  );
}

/** Two beams of light on the disc, opposite one another. */
function sheen(x: number, y: number, radius: number): string {
  const at = (degrees: number) => {
    const angle = (degrees * Math.PI) / 180;
    return `${Math.round(x + radius * Math.cos(angle))} ${Math.round(y + radius * Math.sin(angle))}`;
  };
  return [-62, 118]
    .map((from) => `M${x} ${y}L${at(from)}A${radius} ${radius} 0 0 1 ${at(from + 26)}Z`)
    .join("");
}

/** FNV-1a of the seed, taken apart. */
function designOf(seed: string): { tone: number; pressing: Pressing; turn: number } {
  let hash = 0x811c9dc5;
  for (const character of seed) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  const bits = (hash ^ (hash >>> 15)) >>> 0;
  return {
    tone: bits % TONES,
    pressing: PRESSINGS[Math.floor(bits / TONES) % PRESSINGS.length] ?? "centred",
    turn: 90 * (Math.floor(bits / 97) % 4),
  };
}
