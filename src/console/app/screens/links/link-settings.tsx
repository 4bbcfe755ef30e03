/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { api, dataOf } from "../../api/client.ts";
import { changed, useQuery } from "../../api/queries.ts";
import { familyQuery } from "../../sets/queries.ts";
import { readEnds, writeEnds } from "../../share/ends.ts";
import { readOpens, writeOpens } from "../../share/opens.ts";
import { problemsOf, SettingFields, type Settings } from "../../share/settings.tsx";
import { Button } from "../../ui/button.tsx";
import { toast, toastError } from "../../ui/toast.tsx";
import type { Link } from "./state.ts";

const settingsOf = (link: Link): Settings => ({
  password: "",
  opens: writeOpens(link.notBefore),
  ends: writeEnds(link.expiresAt),
  visits: link.maxUses === null ? "" : String(link.maxUses),
  allowDownload: link.allowDownload,
  allowComments: link.allowComments,
  allowReview: link.allowReview,
  askAnswer: link.askAnswer,
  showDetails: link.showDetails,
  showLyrics: link.showLyrics,
  isMarked: link.isMarked,
  noteParts: link.noteParts,
  wholeFamily: link.wholeFamily,
});

/** What a link allows, changed where it stands: each field is saved when it is left. */
export function LinkSettings({ link }: { link: Link }) {
  const value = useSignal(settingsOf(link));
  const saved = useSignal(value.peek());
  const problems = problemsOf(value.value, saved.value);
  const set = useQuery(link.entity === "track" ? familyQuery(link.entityId) : null).data?.data;
  const hasSet = link.wholeFamily || (set?.members.length ?? 0) > 1;

  const save = async (change: Partial<Settings>) => {
    const next = { ...value.peek(), ...change };
    const body = differenceOf(saved.peek(), next);
    if (Object.keys(body).length === 0 || Object.keys(problemsOf(next, saved.peek())).length > 0) return;
    const before = saved.peek();
    saved.value = { ...next, password: "" };
    try {
      await dataOf(api.PATCH("/app/shares/{id}", { params: { path: { id: link.id } }, body }));
      value.value = { ...value.peek(), password: "" };
      changed("shares", [link.id]);
      toast("Saved");
    } catch (thrown) {
      saved.value = before;
      value.value = before;
      toastError(thrown);
    }
  };
  return (
    <section class="link-settings" aria-label="Settings">
      <h2>What it allows</h2>
      <SettingFields
        value={value.value}
        hasPassword={link.hasPassword}
        mayAsk={link.recipient !== null}
        hasSet={hasSet}
        problems={problems}
        onChange={(change) => {
          value.value = { ...value.peek(), ...change };
        }}
        onDone={(change) => void save(change)}
      />
      {link.hasPassword && (
        <Button look="secondary small" run={() => removePassword(link.id)}>
          Remove the password
        </Button>
      )}
    </section>
  );
}

async function removePassword(id: string): Promise<void> {
  await dataOf(api.PATCH("/app/shares/{id}", { params: { path: { id } }, body: { password: null } }));
  changed("shares", [id]);
  toast("Saved");
}

/** Returns the changes in the form that the server takes. */
function differenceOf(before: Settings, after: Settings) {
  const { password, opens, ends, visits } = after;
  const switched = SWITCHES.filter((name) => after[name] !== before[name]);
  return {
    ...(password !== "" && { password }),
    ...(opens !== before.opens && { notBefore: readOpens(opens) ?? null }),
    ...(ends !== before.ends && { expiresAt: readEnds(ends) ?? null }),
    ...(visits !== before.visits && { maxUses: visits === "" ? null : Number(visits) }),
    ...Object.fromEntries(switched.map((name) => [name, after[name]])),
  };
}

const SWITCHES = [
  "allowDownload",
  "allowComments",
  "allowReview",
  "askAnswer",
  "showDetails",
  "showLyrics",
  "isMarked",
  "noteParts",
  "wholeFamily",
] as const;
