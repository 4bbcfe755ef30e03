/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { trackTitle } from "../../../shared/names.ts";
import { type FoundTrack, TrackFinder } from "../../actions/track-finder.tsx";
import { can } from "../../api/library.ts";
import { query, useQuery } from "../../api/queries.ts";
import { soundSentence } from "../../api/sound-words.ts";
import { place } from "../../router.ts";
import { Button } from "../../ui/button.tsx";
import { RemovableChip } from "../../ui/chip.tsx";
import { showDialog } from "../../ui/dialog.tsx";
import { DropFile } from "../../ui/drop-file.tsx";
import { Field } from "../../ui/field.tsx";
import { FileInput } from "../../ui/file-input.tsx";
import { Screen } from "../../ui/screen.tsx";
import { MarkTest } from "./abx.tsx";
import { Answer } from "./answer.tsx";
import { type Given, type Leak, lookUp } from "./leak.ts";
import "./leaks.css";

/** What browsers offer to choose from. */
const SOUNDS = "audio/*,video/mp4,.flac,.aif,.aiff,.caf,.opus";

type State = { given: Given } & ({ leak?: Leak } | { error: unknown });

/** Finds out whose copy a file is that came from somewhere. */
export default function LeaksScreen() {
  const track = useTrack();
  const state = useSignal<State | undefined>(undefined);
  const stop = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => stop.current?.abort(), []);
  const look = async (given: Given) => {
    stop.current?.abort();
    stop.current = new AbortController();
    const { signal } = stop.current;
    state.value = { given };
    try {
      const leak = await lookUp(given, track.chosen.peek()?.id, signal);
      if (!signal.aborted) state.value = { given, leak };
    } catch (error) {
      if (!signal.aborted) state.value = { given, error };
    }
  };
  return (
    <Screen heading="Who leaked it?">
      <p class="leaks-about">
        Copies for recipients carry a mark in their sound. Give a file or an address, and see whose copy it
        comes from. Fifteen seconds are usually enough.
      </p>
      <Ask look={look} track={track} />
      {state.value && <Outcome state={state.value} look={look} />}
      <DropFile take={(file) => look({ name: file.name, file })}>Find out whose copy this is</DropFile>
    </Screen>
  );
}

type Look = (given: Given) => unknown;

function Outcome({ state, look }: { state: State; look: Look }) {
  const { given } = state;
  if ("error" in state)
    return (
      <p class="problem" role="alert">
        {soundSentence(state.error)}{" "}
        <Button look="secondary small" run={() => look(given)}>
          Look again
        </Button>
      </p>
    );
  if (!state.leak)
    return (
      <p class="leaks-looking" role="status">
        Looking for whose copy {given.name} is…
      </p>
    );
  return <Answer name={given.name} leak={state.leak} />;
}

/** The track that it is taken for; the address may name it. */
function useTrack() {
  const chosen = useSignal<FoundTrack | undefined>(undefined);
  const id = place.value.search.get("track") ?? undefined;
  const { data } = useQuery(
    id === undefined ? null : query("/app/library/tracks/single", { query: { id } }, { tracks: [id] }),
  );
  const found = data?.data?.track;
  const title = found && trackTitle({ title: found.audio_profile.title, name: found.name });
  useEffect(() => {
    if (id !== undefined && title) chosen.value = { id, title };
  }, [id, title, chosen]);
  return { chosen };
}

function Ask({ look, track }: { look: Look; track: ReturnType<typeof useTrack> }) {
  const input = useRef<HTMLInputElement>(null);
  const url = useSignal("");
  const isWrong = useSignal(false);
  const isChoosing = useSignal(false);
  const { chosen } = track;
  const openTest = () => {
    const known = chosen.peek();
    if (known) showDialog((close) => <MarkTest track={known} onClose={close} />);
  };
  return (
    <form
      class="leaks-ask"
      aria-label="A leak"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const address = url.peek().trim();
        isWrong.value = !URL.canParse(address);
        if (!isWrong.peek()) void look({ name: address, url: address });
      }}
    >
      <div class="leaks-drop">
        <Button icon="uploads" run={() => input.current?.click()}>
          Choose a file
        </Button>
        <span class="soft">or drop it here. It is not kept.</span>
        <FileInput
          label="Choose a file"
          inputRef={input}
          accept={SOUNDS}
          take={([file]) => file && look({ name: file.name, file })}
        />
      </div>
      <div class="leaks-address">
        <Field
          label="Address of a file"
          type="url"
          placeholder="https://…"
          value={url.value}
          error={isWrong.value ? "Enter an address that begins with https://." : undefined}
          onInput={({ currentTarget }) => {
            url.value = currentTarget.value;
          }}
        />
        <button type="submit" class="button secondary">
          Look it up
        </button>
      </div>
      <div class="leaks-track">
        {chosen.value ? (
          <>
            <RemovableChip
              name={`Do not look only in ${chosen.value.title}`}
              onRemove={() => {
                chosen.value = undefined;
              }}
            >
              Only in {chosen.value.title}
            </RemovableChip>
            {can("download:originals") && (
              <Button look="quiet small" run={openTest}>
                Can you hear the mark?
              </Button>
            )}
          </>
        ) : isChoosing.value ? (
          <TrackFinder
            label="The track it is"
            isLeftOut={() => false}
            onChoose={(found) => {
              chosen.value = found;
              isChoosing.value = false;
            }}
          />
        ) : (
          <Button
            look="quiet small"
            run={() => {
              isChoosing.value = true;
            }}
          >
            Choose the track, if you know it
          </Button>
        )}
      </div>
    </form>
  );
}
