/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { can } from "../api/library.ts";
import { useQuery } from "../api/queries.ts";
import { familyQuery } from "../sets/queries.ts";
import { Segments } from "../ui/segments.tsx";
import type { Shared } from "./create.ts";

/** What goes along with a track that is shared. */
export type Along = {
  /** How many tracks its set has; below two, nothing is asked. */
  size: number;
  isWhole: boolean;
  choose: (isWhole: boolean) => void;
};

/** Reads the set of the one track that is shared. */
export function useAlong(things: readonly Shared[]): Along {
  const [first] = things;
  const isOne = things.length === 1 && first?.entity === "track" && can("read:tracks");
  const { data } = useQuery(isOne && first ? familyQuery(first.id) : null);
  const isWhole = useSignal(false);
  const size = data?.data.members.length ?? 0;
  return {
    size,
    isWhole: isWhole.value && size > 1,
    choose: (chosen) => {
      isWhole.value = chosen;
    },
  };
}

/** Asks whether a track's whole set goes along. */
export function AlongChoice({ along: { size, isWhole, choose } }: { along: Along }) {
  if (size < 2) return null;
  return (
    <div class="field">
      <Segments
        label="What goes along"
        options={[
          { value: "one", name: "Only this" },
          { value: "whole", name: `The whole set (${size})` },
        ]}
        current={isWhole ? "whole" : "one"}
        onChange={(value) => choose(value === "whole")}
      />
      {isWhole && <p class="field-hint">What joins the set later is on the link too.</p>}
    </div>
  );
}
