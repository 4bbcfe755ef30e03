/** @jsxRuntime automatic @jsxImportSource preact */
import { useId } from "preact/hooks";
import type { Profile } from "./plan.ts";

/** For whom packages are, with what goes in. */
const PROFILES: readonly { profile: Profile; name: string; sentence: string }[] = [
  {
    profile: "store",
    name: "Store or distributor",
    sentence: "Masters, cover, credits and codes, one folder per release.",
  },
  {
    profile: "sync",
    name: "Sync agency",
    sentence: "The whole set of each song with tags, splits and contacts.",
  },
  { profile: "cd", name: "CD or vinyl", sentence: "One side in order, with gaps and codes." },
  { profile: "custom", name: "Custom", sentence: "Choose rules, files and papers yourself." },
];

export const profileName = (profile: Profile): string =>
  PROFILES.find((each) => each.profile === profile)?.name ?? profile;

/** Four cards, one of which is chosen. */
export function ForWhom({ current, onChoose }: { current: Profile; onChoose: (profile: Profile) => void }) {
  const id = useId();
  return (
    <div class="deliver-cards" role="radiogroup" aria-label="For whom">
      {PROFILES.map(({ profile, name, sentence }) => (
        <label key={profile} class="deliver-card">
          <input
            type="radio"
            name={id}
            checked={profile === current}
            aria-labelledby={`${id}-${profile}`}
            aria-describedby={`${id}-${profile}-sentence`}
            onChange={() => onChoose(profile)}
          />
          <span id={`${id}-${profile}`} class="deliver-card-name">
            {name}
          </span>
          <span id={`${id}-${profile}-sentence`} class="field-hint">
            {sentence}
          </span>
        </label>
      ))}
    </div>
  );
}
