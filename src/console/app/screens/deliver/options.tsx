/** @jsxRuntime automatic @jsxImportSource preact */
import { Check, SelectField } from "../../ui/field.tsx";
import type { Asked, Profile } from "./plan.ts";

type OptionProps = {
  profile: Profile;
  options: NonNullable<Asked["options"]>;
  onChange: (options: NonNullable<Asked["options"]>) => unknown;
};

const GAPS = ["0", "1", "2", "3", "4"].map((value) => ({ value, name: `${value} s` }));

/** What can be chosen beside the profile. */
export function OptionFields({ profile, options, onChange }: OptionProps) {
  if (profile === "cd")
    return (
      <SelectField
        label="Silence between songs"
        value={String(options.gapSec ?? 2)}
        options={GAPS}
        onChange={(value) => onChange({ ...options, gapSec: Number(value) })}
      />
    );
  if (profile !== "custom") return null;
  const formats = options.formats ?? ["tagged"];
  const toggle = (format: "tagged" | "untouched", isOn: boolean) => {
    const next = isOn ? [...formats, format] : formats.filter((each) => each !== format);
    if (next.length > 0) onChange({ ...options, formats: next });
  };
  return (
    <fieldset class="deliver-options" aria-label="What to put in">
      <Check isOn={formats.includes("tagged")} onChange={(isOn) => toggle("tagged", isOn)}>
        Copies with tags
      </Check>
      <Check isOn={formats.includes("untouched")} onChange={(isOn) => toggle("untouched", isOn)}>
        Originals bit for bit
      </Check>
      <Check
        isOn={options.keepOtherTags ?? false}
        onChange={(keepOtherTags) => onChange({ ...options, keepOtherTags })}
      >
        Keep other tags
      </Check>
      <Check isOn={options.artwork ?? true} onChange={(artwork) => onChange({ ...options, artwork })}>
        Cover
      </Check>
    </fieldset>
  );
}
