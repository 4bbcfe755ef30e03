/** @jsxRuntime automatic @jsxImportSource preact */
import { Button, IconButton } from "../../ui/button.tsx";
import "./forms.css";
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { api, dataOf } from "../../api/client.ts";
import { changed, useQuery } from "../../api/queries.ts";
import { Combobox } from "../../ui/combobox.tsx";
import { showDialog } from "../../ui/dialog.tsx";
import { toast } from "../../ui/toast.tsx";
import { CreditsDialog, othersCredits } from "./credits-dialog.tsx";
import { NewComposer } from "./new-composer.tsx";
import { type Composer, composersQuery, type Line, type Track } from "./queries.ts";

const ROLES = [
  "Composer",
  "Lyricist",
  "Composer and lyricist",
  "Producer",
  "Arranger",
  "Performer",
  "Publisher",
];
const FULL = 100;

let lastKey = 0;

/** Returns the lines of a track's credits. */
export const linesOf = (credits: Track["shareholderTracks"]): Line[] =>
  credits.map(({ share, role, shareholder }) => ({
    key: ++lastKey,
    composerId: shareholder.id,
    name: shareholder.fullName,
    role,
    share,
  }));

const sumOf = (lines: readonly Line[]) => round(lines.reduce((sum, { share }) => sum + share, 0));
const round = (value: number) => Math.round(value * 100) / 100;

/** Returns the shares of `count` people: equal, and 100 together. */
function evenShares(count: number): number[] {
  const base = Math.floor((FULL * 100) / count) / 100;
  return Array.from({ length: count }, (_, index) => (index === 0 ? round(FULL - base * (count - 1)) : base));
}

/** Who made the track, and their shares of it. */
export function Credits({ track }: { track: Track }) {
  const saved = useMemo(() => linesOf(track.shareholderTracks), [track.shareholderTracks]);
  const lines = useSignal<readonly Line[]>(saved);
  const isChanged = useSignal(false);
  useEffect(() => {
    if (!isChanged.peek()) lines.value = saved;
  }, [saved, lines, isChanged]);
  /** The credits that the editor began with. */
  const base = useRef(saved);
  if (!isChanged.value) base.current = saved;
  const set = (next: readonly Line[]) => {
    lines.value = next;
    isChanged.value = true;
  };
  const take = (theirs: readonly Line[]) => {
    lines.value = theirs;
    isChanged.value = false;
  };
  const save = async () => {
    const mine = lines.peek();
    const body = { shareholders: shareholdersOf(mine), base: shareholdersOf(base.current) };
    try {
      await dataOf(
        api.PUT("/app/library/tracks/shareholders", { params: { query: { id: track.id } }, body }),
      );
      isChanged.value = false;
      toast("Credits saved");
    } catch (thrown) {
      const other = othersCredits(thrown);
      if (!other) throw thrown;
      const theirs = linesOf(other.shareholders);
      base.current = theirs;
      showDialog((close) => (
        <CreditsDialog
          name={other.by?.name ?? "Somebody"}
          mine={mine}
          theirs={theirs}
          onKeepTheirs={() => take(theirs)}
          onSaveMine={save}
          onClose={close}
        />
      ));
    } finally {
      changed("tracks", [track.id]);
      changed("composers", null);
    }
  };
  return (
    <CreditEditor lines={lines.value} latest={lines.peek.bind(lines)} onChange={set}>
      <Button look="credit-save" aria-disabled={!isChanged.value || isIncomplete(lines.value)} run={save}>
        Save credits
      </Button>
    </CreditEditor>
  );
}

/** Returns the lines as a request writes them. */
export const shareholdersOf = (lines: readonly Line[]) =>
  lines.map(({ composerId: shareholderId, share, role }) => ({ shareholderId, share, role: role.trim() }));

/** True while a line has no composer or no role. */
export const isIncomplete = (lines: readonly Line[]): boolean =>
  lines.some(({ composerId, role }) => composerId === "" || role.trim() === "");

type EditorProps = {
  lines: readonly Line[];
  /** Reads the lines as they are now: a dialog may answer long after it was opened. */
  latest: () => readonly Line[];
  onChange: (lines: readonly Line[]) => void;
  children?: ComponentChildren;
};

/** Composers with their roles and shares, which are 100 per cent at most. `children` are shown beside its buttons. */
export function CreditEditor({ lines, latest, onChange: set, children }: EditorProps) {
  const change = (key: number, part: Partial<Line>) =>
    set(latest().map((line) => (line.key === key ? { ...line, ...part } : line)));
  const sum = sumOf(lines);
  const split = () => {
    const shares = evenShares(lines.length);
    set(lines.map((line, index) => ({ ...line, share: shares[index] ?? 0 })));
  };
  return (
    <div class="credits">
      <table class="credit-table" aria-label="Credits">
        <thead>
          <tr>
            <th scope="col">Composer</th>
            <th scope="col">Role</th>
            <th scope="col">Share</th>
            <th scope="col">
              <span class="sr-only">Remove</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <CreditLine
              key={line.key}
              line={line}
              most={round(FULL - sum + line.share)}
              onChange={(part) => change(line.key, part)}
              onRemove={() => set(latest().filter(({ key }) => key !== line.key))}
            />
          ))}
        </tbody>
      </table>
      <p class={sum === FULL ? "credit-sum credit-full" : "credit-sum"} role="status">
        {sum} % of 100 %
      </p>
      <div class="buttons">
        <Button
          look="secondary"
          icon="add"
          run={() =>
            set([...latest(), { key: ++lastKey, composerId: "", name: "", role: "Composer", share: 0 }])
          }
        >
          Add composer
        </Button>
        <Button look="quiet" aria-disabled={lines.length === 0} run={split}>
          Split evenly
        </Button>
        {children}
      </div>
    </div>
  );
}

type LineProps = {
  line: Line;
  /** The share that is left for this line. */
  most: number;
  onChange: (part: Partial<Line>) => void;
  onRemove: () => void;
};

function CreditLine({ line, most, onChange, onRemove }: LineProps) {
  const refused = useSignal(false);
  const { name, share } = line;
  const setShare = (field: HTMLInputElement) => {
    const next = round(Number(field.value) || 0);
    refused.value = next > most || next < 0;
    if (refused.value) field.value = String(share);
    else onChange({ share: next });
  };
  return (
    <tr>
      <td>
        <ComposerField line={line} onChange={onChange} />
      </td>
      <td>
        <RoleField role={line.role} onChange={(role) => onChange({ role })} />
      </td>
      <td class="field">
        <span class="credit-share">
          <input
            type="number"
            aria-label={`Share of ${name || "the new composer"}`}
            {...(refused.value && { "aria-invalid": true })}
            min={0}
            max={FULL}
            step="any"
            inputMode="decimal"
            value={share}
            onInput={({ currentTarget }) => setShare(currentTarget)}
          />
          <span aria-hidden="true">%</span>
        </span>
        {refused.value && (
          <span class="field-error" role="alert">
            Only {most} % are left
          </span>
        )}
      </td>
      <td>
        <IconButton label={`Remove ${name || "the new composer"}`} icon="trash" run={onRemove} />
      </td>
    </tr>
  );
}

function ComposerField({ line, onChange }: Pick<LineProps, "line" | "onChange">) {
  const text = useSignal(line.name);
  const { data } = useQuery(composersQuery);
  const sought = text.value.trim().toLowerCase();
  const composers = (data?.data ?? []).filter(({ fullName }) => fullName.toLowerCase().includes(sought));
  const choose = ({ id, fullName }: Pick<Composer, "id" | "fullName">) => {
    text.value = fullName;
    onChange({ composerId: id, name: fullName });
  };
  const isKnown = composers.some(({ fullName }) => fullName.toLowerCase() === sought);
  const options = [
    ...composers.map(({ id, fullName, pro }) => ({ id, text: fullName, ...(pro && { hint: pro }) })),
    ...(sought !== "" && !isKnown ? [{ id: "new", text: `New composer “${text.value.trim()}”` }] : []),
  ];
  return (
    <Combobox
      label="Composer"
      isLabelHidden
      placeholder="Name"
      text={text}
      options={options}
      nothing="Type a name"
      onChoose={({ id }) => {
        const composer = composers.find((each) => each.id === id);
        if (composer) choose(composer);
        else
          showDialog((close) => <NewComposer name={text.peek().trim()} onClose={close} onCreated={choose} />);
      }}
    />
  );
}

function RoleField({ role, onChange }: { role: string; onChange: (role: string) => void }) {
  const text = useSignal(role);
  const options = ROLES.map((each) => ({ id: each.replaceAll(" ", "-"), text: each }));
  useEffect(() => text.subscribe((value) => value !== role && onChange(value)), [text, role]);
  return (
    <Combobox
      label="Role"
      isLabelHidden
      text={text}
      options={options}
      onEnter={() => undefined}
      onChoose={({ text: chosen }) => {
        text.value = chosen;
      }}
    />
  );
}
