/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { wantedSentence } from "../api/field-words.ts";
import { can } from "../api/library.ts";
import { Combobox } from "../ui/combobox.tsx";
import { Field, Switch } from "../ui/field.tsx";
import { ENDS, readEnds } from "./ends.ts";
import { readOpens, writeOpens } from "./opens.ts";

/** What a link allows, as it is written in its fields. */
export type Settings = {
  password: string;
  /** When it opens; empty: at once. */
  opens: string;
  ends: string;
  visits: string;
  allowDownload: boolean;
  allowComments: boolean;
  /** The person whom the link is for is asked to approve what they hear. */
  allowReview: boolean;
  /** That person is asked whether they want it. */
  askAnswer: boolean;
  showDetails: boolean;
  showLyrics: boolean;
  /** What the person hears and downloads tells later whose copy it is. */
  isMarked: boolean;
  /** Which parts are heard is kept. */
  noteParts: boolean;
  /** Of a link to a track that there is: its whole set goes along. */
  wholeFamily?: boolean;
};

export const PLAIN: Settings = {
  password: "",
  opens: "",
  ends: "Never",
  visits: "",
  allowDownload: false,
  allowComments: false,
  allowReview: false,
  askAnswer: false,
  showDetails: false,
  showLyrics: false,
  isMarked: true,
  noteParts: true,
};

/** The faults of the settings, by field. */
export type SettingProblems = { readonly [field in "password" | "opens" | "ends" | "visits"]?: string };

/**
 * Returns what the server would not accept.
 *
 * @param saved What it has already, where a time may be past.
 */
export function problemsOf(settings: Settings, saved?: Settings): SettingProblems {
  const { password, opens, ends, visits } = settings;
  const isPassword = password === "" || password.length >= 4;
  const isCount = visits === "" || /^[1-9]\d{0,6}$/.test(visits);
  const isOpening = opens === saved?.opens || readOpens(opens) !== undefined;
  const isEnd = ends === saved?.ends || readEnds(ends) !== undefined;
  return {
    ...(!isPassword && { password: wantedSentence("password") }),
    ...(!isOpening && { opens: wantedSentence("notBefore") }),
    ...(!isEnd && { ends: wantedSentence("expiresAt") }),
    ...(!isCount && { visits: wantedSentence("maxUses") }),
  };
}

type Props = {
  value: Settings;
  /** Called with every letter. */
  onChange: (change: Partial<Settings>) => void;
  /** Called when a field was left or something was chosen. */
  onDone?: ((change: Partial<Settings>) => void) | undefined;
  problems: SettingProblems;
  hasPassword?: boolean;
  /** False for a link to everyone, which can ask nobody. */
  mayAsk?: boolean;
  /** True where a set may go along. */
  hasSet?: boolean;
};

/** The fields that say what a link allows. */
export function SettingFields({
  value,
  onChange,
  onDone,
  problems,
  hasPassword = false,
  mayAsk = true,
  hasSet = false,
}: Props) {
  const set = (change: Partial<Settings>) => {
    onChange(change);
    onDone?.(change);
  };
  return (
    <div class="share-settings">
      <Limits {...{ value, onChange, onDone, problems, hasPassword }} />
      {hasSet && (
        <Switch
          label="The whole set"
          hint="What joins the set later is on the link too."
          isOn={value.wholeFamily === true}
          onChange={(wholeFamily) => set({ wholeFamily })}
        />
      )}
      <Switch
        label="Allow downloads"
        isOn={value.allowDownload}
        onChange={(allowDownload) => set({ allowDownload })}
      />
      <Switch
        label="Allow comments"
        isOn={value.allowComments}
        onChange={(allowComments) => set({ allowComments, ...(!allowComments && { allowReview: false }) })}
      />
      {mayAsk && (
        <Switch
          label="Ask for approval"
          hint="Only for a link with a name. That person can approve the version or ask for changes, and can comment."
          isOn={value.allowReview}
          onChange={(allowReview) => set({ allowReview, ...(allowReview && { allowComments: true }) })}
        />
      )}
      {mayAsk && (
        <Switch
          label="Ask for an answer"
          hint="Only for a link with a name. That person can press Interested, Pass, Need instrumental or Ask for terms."
          isOn={value.askAnswer}
          onChange={(askAnswer) => set({ askAnswer })}
        />
      )}
      {mayAsk && (
        <Switch
          label="Mark the sound"
          hint="Only for a link with a name. What that person hears and downloads carries a mark, which tells later whose copy a leak is. All but WAV, FLAC and AIFF files are then for listening only."
          isOn={value.isMarked}
          onChange={(isMarked) => set({ isMarked })}
        />
      )}
      <Switch
        label="Keep which parts are heard"
        hint="The page tells visitors so. Switched off, plays still count, but no curve is shown."
        isOn={value.noteParts}
        onChange={(noteParts) => set({ noteParts })}
      />
      {can("read:composers") && (
        <Switch
          label="Show BPM, key and credits"
          isOn={value.showDetails}
          onChange={(showDetails) => set({ showDetails })}
        />
      )}
      <Switch label="Show lyrics" isOn={value.showLyrics} onChange={(showLyrics) => set({ showLyrics })} />
    </div>
  );
}

/** When it opens and ends, and who may come in. */
function Limits({ value, onChange, onDone, problems, hasPassword }: Omit<Props, "mayAsk" | "hasSet">) {
  return (
    <div class="share-limits">
      <Opens
        opens={value.opens}
        problem={problems.opens}
        onChange={onChange}
        onDone={(opens) => onDone?.({ opens })}
      />
      <Ends
        ends={value.ends}
        problem={problems.ends}
        onChange={onChange}
        onDone={(ends) => {
          onChange({ ends });
          onDone?.({ ends });
        }}
      />
      <Field
        label="Visits"
        type="number"
        min={1}
        placeholder="No limit"
        value={value.visits}
        error={problems.visits}
        onInput={({ currentTarget }) => onChange({ visits: currentTarget.value })}
        onBlur={({ currentTarget }) => onDone?.({ visits: currentTarget.value })}
      />
      <Field
        label="Password"
        autocomplete="off"
        placeholder={hasPassword ? "Set; enter a new one" : "None"}
        value={value.password}
        error={problems.password}
        onInput={({ currentTarget }) => onChange({ password: currentTarget.value })}
        onBlur={({ currentTarget }) => onDone?.({ password: currentTarget.value })}
      />
    </div>
  );
}

type OpensProps = {
  opens: string;
  problem: string | undefined;
  onChange: (change: Pick<Settings, "opens">) => void;
  onDone?: (opens: string) => void;
};

/** A day and a time, which are said as they were understood once they are left. */
export function Opens({ opens, problem, onChange, onDone }: OpensProps) {
  return (
    <Field
      label="Opens"
      placeholder="At once"
      autocomplete="off"
      title="A day and a time, such as 3 March 2027 at 18:00"
      value={opens}
      error={problem}
      onInput={({ currentTarget }) => onChange({ opens: currentTarget.value })}
      onBlur={({ currentTarget }) => {
        const understood = readOpens(currentTarget.value);
        const text = understood === undefined ? currentTarget.value : writeOpens(understood);
        onChange({ opens: text });
        onDone?.(text);
      }}
    />
  );
}

type EndsProps = {
  ends: string;
  problem: string | undefined;
  onChange: (change: Partial<Settings>) => void;
  onDone: (ends: string) => void;
};

function Ends({ ends, problem, onChange, onDone }: EndsProps) {
  const text = useSignal(ends);
  if (text.peek() !== ends) text.value = ends;
  return (
    <div
      class="share-ends"
      onInput={() => onChange({ ends: text.value })}
      onFocusOut={() => onDone(text.value)}
    >
      <Combobox
        label="Ends"
        text={text}
        options={ENDS.map((name) => ({ id: name.replace(" ", "-"), text: name }))}
        onChoose={({ text: chosen }) => {
          text.value = chosen;
          onDone(chosen);
        }}
        onEnter={(written) => onDone(written)}
        error={problem}
      />
    </div>
  );
}
