/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { SelectField } from "../ui/field.tsx";
import { later } from "../ui/later.tsx";
import { countsInWords } from "./counts.ts";
import type { Profile, Readiness, Whose } from "./queries.ts";
import "./disclosure.css";

const Missing = later(async () => (await import("./missing.tsx")).Missing);

const PROFILES: readonly { value: Profile; name: string }[] = [
  { value: "store", name: "Store or distributor" },
  { value: "sync", name: "Sync agency" },
  { value: "cd", name: "CD or vinyl" },
  { value: "custom", name: "Every rule" },
];

/** What is missing, folded up: it is looked for when somebody opens it. `counts` are those of the store. */
export function MissingDisclosure({ of, counts }: { of: Whose; counts?: Readiness["counts"] | undefined }) {
  const isOpen = useSignal(false);
  const profile = useSignal<Profile>("store");
  return (
    <details
      class="missing-disclosure"
      onToggle={({ currentTarget }) => {
        isOpen.value = currentTarget.open;
      }}
    >
      <summary>
        What is missing
        {counts && <span class="soft"> {countsInWords(counts)}</span>}
      </summary>
      {isOpen.value && (
        <>
          <SelectField
            label="For whom"
            value={profile.value}
            options={PROFILES}
            onChange={(chosen) => {
              profile.value = chosen;
            }}
          />
          <Missing of={of} profile={profile.value} />
        </>
      )}
    </details>
  );
}
