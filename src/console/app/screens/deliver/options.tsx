/** @jsxRuntime automatic @jsxImportSource preact */
import { Check, SelectField } from "../../ui/field.tsx";
import type { Asked, Profile } from "./plan.ts";

type Options = NonNullable<Asked["options"]>;
type OptionProps = { profile: Profile; options: Options; onChange: (options: Options) => unknown };
type PaperName = NonNullable<Options["papers"]>[number];

/** Papers as people call them, with their files. */
const PAPERS: readonly { name: string; files: readonly PaperName[] }[] = [
  { name: "Split sheet", files: ["split-sheet.csv", "split-sheet.html"] },
  { name: "Credits", files: ["credits.csv"] },
  { name: "Cue sheet", files: ["cue-sheet.csv"] },
  { name: "Use of AI", files: ["ai-use.csv"] },
  { name: "Registration of works", files: ["registration"] },
  { name: "What was checked", files: ["readiness.html"] },
];

/** Returns what is chosen beside a profile: the choices of another one do not go along. */
export function optionsOf(profile: Profile, { gapSec, ...custom }: Options): Options {
  if (profile === "custom") return custom;
  return profile === "cd" && gapSec !== undefined ? { gapSec } : {};
}

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
      <Papers options={options} onChange={onChange} />
      <Check isOn={options.lyrics ?? true} onChange={(lyrics) => onChange({ ...options, lyrics })}>
        Lyrics
      </Check>
      <Check isOn={options.proof ?? true} onChange={(proof) => onChange({ ...options, proof })}>
        Proofs
      </Check>
    </fieldset>
  );
}

function Papers({ options, onChange }: Omit<OptionProps, "profile">) {
  const chosen = options.papers ?? PAPERS.flatMap(({ files }) => files);
  return (
    <>
      {PAPERS.map(({ name, files }) => (
        <Check
          key={name}
          isOn={files.every((file) => chosen.includes(file))}
          onChange={(isOn) => {
            const others = chosen.filter((file) => !files.includes(file));
            onChange({ ...options, papers: isOn ? [...others, ...files] : others });
          }}
        >
          {name}
        </Check>
      ))}
    </>
  );
}
