/** @jsxRuntime automatic @jsxImportSource preact */
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { joinTracks } from "../actions/join.ts";
import { api, dataOf } from "../api/client.ts";
import { can } from "../api/library.ts";
import { type AnswerOf, changed, query, useQuery } from "../api/queries.ts";
import { href } from "../first-data.ts";
import { Button } from "../ui/button.tsx";
import { toast } from "../ui/toast.tsx";
import { isTrayOpen, uploads } from "./state.ts";

/** A new track that sounds like a mix of an older one. */
export type MixOffer = AnswerOf<"/app/tracks/mixes">["data"][number];

const OFFERS = query("/app/tracks/mixes", { query: { limit: 200 } }, { tracks: "all", analysis: "all" });

/** What the account is asked, by the ids of the new tracks. */
export const mixOffers = signal<ReadonlyMap<string, MixOffer>>(new Map());
/** The tracks that became versions of others here, by their ids. */
export const joined = signal<ReadonlyMap<string, MixOffer>>(new Map());

/** Keeps `mixOffers` as the server has it. `isAsked`: there may be something to ask. */
export function useMixOffers(isAsked: boolean): void {
  const data = useQuery(isAsked ? OFFERS : null).data?.data;
  useEffect(() => {
    if (data) mixOffers.value = new Map(data.map((offer) => [offer.id, offer]));
  }, [data]);
}

const without = (offers: ReadonlyMap<string, MixOffer>, id: string) =>
  new Map([...offers].filter(([each]) => each !== id));

async function join(offer: MixOffer): Promise<void> {
  const { id, title, otherId, otherTitle, version } = offer;
  const text = `${title} is version ${version} of ${otherTitle} now`;
  const onUndone = () => {
    joined.value = without(joined.value, id);
  };
  await joinTracks({ keptId: otherId, goneId: id }, { text, onUndone });
  joined.value = new Map([...joined.value, [id, offer]]);
}

async function keepApart({ id, title, otherId }: MixOffer): Promise<void> {
  await dataOf(
    api.POST("/app/tracks/{trackId}/keep-apart", {
      params: { path: { trackId: id } },
      body: { trackId: otherId },
    }),
  );
  changed("tracks", [id]);
  toast(`${title} stays its own track`);
}

/** Does what the owner said. The question goes at once, and comes back when the server refuses. */
async function answer(offer: MixOffer, act: (offer: MixOffer) => Promise<void>): Promise<void> {
  mixOffers.value = without(mixOffers.value, offer.id);
  try {
    await act(offer);
  } catch (thrown) {
    mixOffers.value = new Map([[offer.id, offer], ...mixOffers.value]);
    throw thrown;
  }
}

/** What a track sounds like, and the answers to that. */
export function MixQuestion({ offer }: { offer: MixOffer }) {
  return (
    <div class="tray-offer tray-sound">
      <p>
        Sounds like {offer.isSameMix ? "the same mix as" : "a mix of"}{" "}
        <a href={href(`/library/tracks/${offer.otherId}`)}>“{offer.otherTitle}”</a>
      </p>
      <MixAnswers offer={offer} />
    </div>
  );
}

/** The answers to what a track sounds like. */
export function MixAnswers({ offer }: { offer: MixOffer }) {
  const { title, version } = offer;
  if (!can("update:tracks")) return null;
  return (
    <>
      <Button look="small" label={`Make it version ${version}: ${title}`} run={() => answer(offer, join)}>
        Make it version {version}
      </Button>
      <Button
        look="small secondary"
        label={`Keep as its own track: ${title}`}
        run={() => answer(offer, keepApart)}
      >
        Keep as its own track
      </Button>
    </>
  );
}

/** The new tracks that sound like mixes of older ones, where the tray does not show them. */
export function MixOffers() {
  useMixOffers(true);
  const inTray = new Set(isTrayOpen.value ? uploads.value.map(({ about }) => about.made?.trackId) : []);
  const shown = [...mixOffers.value.values()].filter(({ id }) => !inTray.has(id));
  if (shown.length === 0) return null;
  return (
    <section class="waiting-files" aria-labelledby="mixes-heading">
      <h2 id="mixes-heading">Mixes of one song?</h2>
      <ul aria-labelledby="mixes-heading">
        {shown.map((offer) => (
          <li class="tray-line" key={offer.id} aria-label={offer.title}>
            <a class="mix-title" href={href(`/library/tracks/${offer.id}`)}>
              {offer.title}
            </a>
            <MixQuestion offer={offer} />
          </li>
        ))}
      </ul>
    </section>
  );
}
