/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { kindWords } from "../../../modules/library/families/words.ts";
import { showDialog } from "../ui/dialog.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { putInSet } from "./change.ts";
import { draftOf, PlaceFields, placeOf } from "./place-fields.tsx";
import type { Family, Member } from "./queries.ts";
import "./sets.css";

/** Asks what a member of a set is. */
export const openKind = (family: Family, member: Member): void =>
  showDialog((close) => <KindDialog family={family} member={member} onClose={close} />);

function KindDialog({ family, member, onClose }: { family: Family; member: Member; onClose: () => void }) {
  const draft = useSignal(draftOf(member));
  const isTried = useSignal(false);
  const withId = family.members.find(({ trackId }) => trackId !== member.trackId)?.trackId ?? "";
  return (
    <FormDialog
      label={`Kind of ${member.title}`}
      verb="Change kind"
      onClose={onClose}
      send={async () => {
        isTried.value = true;
        const place = placeOf(draft.peek());
        if (!place) return false;
        await putInSet(member.trackId, { with: withId, ...place }, `${member.title}: ${kindWords(place)}`);
        return true;
      }}
    >
      {() => <PlaceFields draft={draft} isTried={isTried.value} />}
    </FormDialog>
  );
}
