/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { MAX_DELIVERY_NAME } from "../../../../modules/delivery/packages/shapes.ts";
import { type Delivered, readDelivered } from "../../actions/deliver.ts";
import { query, useQuery } from "../../api/queries.ts";
import { href } from "../../first-data.ts";
import { memory } from "../../memory.ts";
import { readinessQuery, type Whose } from "../../readiness/queries.ts";
import { place } from "../../router.ts";
import { Empty } from "../../ui/empty.tsx";
import { Field } from "../../ui/field.tsx";
import { later } from "../../ui/later.tsx";
import { NothingHere } from "../../ui/nothing-here.tsx";
import { counted } from "../../ui/numbers.ts";
import { Problem } from "../../ui/problem.tsx";
import { Screen } from "../../ui/screen.tsx";
import "./deliver.css";
import { ForWhom } from "./for-whom.tsx";
import { Make } from "./make.tsx";
import { Marking } from "./marking.tsx";
import { OptionFields, optionsOf } from "./options.tsx";
import { type Asked, type Planned, type Profile, usePlan } from "./plan.ts";
import { TagsOf } from "./tags.tsx";
import { sizeText, treeOf } from "./tree.ts";
import { Tree } from "./tree.tsx";

const Missing = later(async () => (await import("../../readiness/missing.tsx")).Missing);

/** What goes in is what may lack something, with what its album says. */
const lookedAt = (what: Delivered, trackIds: readonly string[]): Whose => ({
  trackIds,
  ...("playlistId" in what && { asList: what.playlistId }),
});

/** Handing tracks over: for whom, what is missing, what goes in. */
export default function DeliverScreen() {
  const of = place.value.search.get("of");
  const what = readDelivered(of);
  if (of === null || of === "")
    return (
      <Screen heading="Deliver">
        <Empty heading="Nothing is chosen">
          <p class="soft">
            Choose tracks in the <a href={href("/library")}>Library</a>, a playlist or an album, then
            “Deliver…”. <a href={href("/library/deliveries")}>Deliveries</a> lists what went out.
          </p>
        </Empty>
      </Screen>
    );
  return what ? <Named key={of} what={what} /> : <NothingHere />;
}

/** Finds what the things to deliver are called. */
function Named({ what }: { what: Delivered }) {
  if ("playlistId" in what) return <OfPlaylist playlistId={what.playlistId} />;
  if ("familyOf" in what) return <OfTrack trackId={what.familyOf} what={what} />;
  const [only, second] = what.ids;
  if (only !== undefined && second === undefined) return <OfTrack trackId={only} what={what} />;
  return <Delivering what={what} name={counted(what.ids.length, "track")} />;
}

function OfPlaylist({ playlistId }: { playlistId: string }) {
  const asked = query("/app/playlists/{playlistId}", { path: { playlistId } }, { playlists: [playlistId] });
  const { data, error, refetch } = useQuery(asked);
  if (data) return <Delivering what={{ playlistId }} name={data.data.name} />;
  return <Problem error={error} onRetry={refetch} />;
}

function OfTrack({ trackId, what }: { trackId: string; what: Delivered }) {
  const asked = query("/app/library/tracks/single", { query: { id: trackId } }, { tracks: [trackId] });
  const { data, error, refetch } = useQuery(asked);
  if (!data) return <Problem error={error} onRetry={refetch} />;
  const { track } = data.data;
  if (!track) return <NothingHere />;
  return <Delivering what={what} name={track.audio_profile.title ?? track.name ?? "a track"} />;
}

/** What was chosen last for each recipient. */
const CHOSEN = "deliver.profiles";
const chosenFor = () => memory.get<Record<string, Profile>>(CHOSEN) ?? {};

function Delivering({ what, name }: { what: Delivered; name: string }) {
  const title = useSignal(name);
  const recipient = useSignal("");
  const profile = useSignal<Profile>(chosenFor()[""] ?? "store");
  const options = useSignal<NonNullable<Asked["options"]>>({});
  const isMarked = useSignal(true);
  const choose = (next: Profile) => {
    profile.value = next;
    memory.set(CHOSEN, { ...chosenFor(), "": next, [recipient.peek().trim()]: next });
  };
  const revision = useSignal(0);
  const { plan, error, again } = usePlan(revision.value, {
    where: what,
    profile: profile.value,
    name: title.value.trim() || name,
    ...(recipient.value.trim() && { recipient: recipient.value.trim() }),
    ...(!isMarked.value && { isMarked: false }),
    options: optionsOf(profile.value, options.value),
  });
  const of = plan ? lookedAt(what, plan.trackIds) : undefined;
  const { data: readiness } = useQuery(of ? readinessQuery(of, profile.value) : null);
  const before = useRef(readiness);
  // What was mended changes what goes in.
  useEffect(() => {
    if (readiness !== undefined && before.current !== undefined && readiness !== before.current)
      revision.value++;
    before.current = readiness ?? before.current;
  }, [readiness]);
  return (
    <Screen heading={`Deliver ${name}`}>
      <section class="deliver-part">
        <h2>For whom</h2>
        <ForWhom current={profile.value} onChoose={choose} />
        <div class="deliver-fields">
          <Field
            label="Recipient"
            hint="Only you see who it was for."
            maxLength={MAX_DELIVERY_NAME}
            value={recipient.value}
            onInput={({ currentTarget }) => {
              recipient.value = currentTarget.value;
              profile.value = chosenFor()[currentTarget.value.trim()] ?? profile.value;
            }}
          />
          <Field
            label="Name of the release"
            maxLength={MAX_DELIVERY_NAME}
            value={title.value}
            onInput={({ currentTarget }) => {
              title.value = currentTarget.value;
            }}
          />
        </div>
        {recipient.value.trim() !== "" && (
          <Marking
            profile={profile.value}
            plan={plan}
            isOn={isMarked.value}
            onChange={(isOn) => {
              isMarked.value = isOn;
            }}
          />
        )}
        <OptionFields
          profile={profile.value}
          options={options.value}
          onChange={(next) => (options.value = next)}
        />
      </section>
      {(of || !error) && (
        <section class="deliver-part" aria-label="What is missing">
          <h2>What is missing</h2>
          {of && <Missing of={of} profile={profile.value} />}
        </section>
      )}
      <GoesIn plan={plan} error={error} onRetry={again} />
      {plan && <Make plan={plan} />}
    </Screen>
  );
}

type GoesInProps = { plan: Planned | undefined; error: unknown; onRetry: () => unknown };

/** The tree of what goes in, and the tags of the song that is chosen in it. */
function GoesIn({ plan, error, onRetry }: GoesInProps) {
  const chosen = useSignal<string | undefined>(undefined);
  const file = plan?.tree.find(({ path }) => path === chosen.value);
  return (
    <section class="deliver-part" aria-label="What goes in">
      <h2>What goes in</h2>
      <Problem error={error} onRetry={onRetry} isPart />
      {plan && (
        <>
          <p class="soft">
            {counted(plan.tracks, "track")} in {counted(plan.files, "file")}, {plan.isMarked && "about "}
            {sizeText(plan.sizeBytes)}.
            {plan.bucketBytes > 0 &&
              ` The originals lie in a bucket: making it reads ${sizeText(plan.bucketBytes)} from there, each file twice.`}
          </p>
          {plan.missing.length > 0 && (
            <p role="alert">
              Left out, because their files are not on the server:{" "}
              {plan.missing.map((each) => each.title).join(", ")}.
            </p>
          )}
          <div class="deliver-files">
            <Tree
              label="What goes in"
              roots={treeOf(plan.tree)}
              current={file?.path}
              onChoose={(path) => {
                chosen.value = path;
              }}
            />
            {file && isSound(file.path) ? (
              <TagsOf deliveryId={plan.id} path={file.path} />
            ) : (
              <p class="soft deliver-hint">Choose a song in the tree to compare its tags.</p>
            )}
          </div>
        </>
      )}
    </section>
  );
}

/** Songs are in these folders. */
const isSound = (path: string) => /^[^/]+\/(audio|originals)\//.test(path);
