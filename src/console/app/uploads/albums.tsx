/** @jsxRuntime automatic @jsxImportSource preact */
import { signal } from "@preact/signals";
import { api, dataOf } from "../api/client.ts";
import { changed } from "../api/queries.ts";
import { href } from "../first-data.ts";
import { Button } from "../ui/button.tsx";
import { toast } from "../ui/toast.tsx";

/** An album that files which were sent are on. */
type Arrived = { id: string; name: string; trackCount: number };

/** The albums that arrived since the tray was cleared, in the order in which they came. */
const arrived = signal<readonly Arrived[]>([]);

/** Notes the albums that some files are on, as they are now. */
export function noteAlbums(albums: readonly Arrived[]): void {
  if (albums.length === 0) return;
  const known = new Map([...arrived.peek(), ...albums].map((album) => [album.id, album]));
  arrived.value = [...known.values()];
  changed("playlists", null);
}

/** Takes the albums off the tray. */
export function clearAlbums(): void {
  arrived.value = [];
}

/** What arrived as an album, with the two ways to have it otherwise. Nothing is asked. */
export function ArrivedAlbums() {
  if (arrived.value.length === 0) return null;
  return (
    <ul class="tray-albums" aria-label="Albums">
      {arrived.value.map((album) => (
        <li key={album.id} class="tray-ask">
          <p>
            {album.trackCount === 1 ? "1 song is" : `${album.trackCount} songs are`} on the album{" "}
            <a href={href(`/library/albums/${album.id}`)}>{album.name}</a>.
          </p>
          <div class="choose">
            <Button look="small secondary" label={`Undo: ${album.name}`} run={() => undo(album)}>
              Undo
            </Button>
            <Button
              look="small secondary"
              label={`Keep as separate tracks: ${album.name}`}
              run={() => separate(album)}
            >
              Keep as separate tracks
            </Button>
          </div>
        </li>
      ))}
    </ul>
  );
}

const undo = (album: Arrived) =>
  settle(album, async (params) => {
    const { tracks } = await dataOf(api.POST("/app/albums/{playlistId}/undo", { params }));
    return `${album.name} and its ${tracks === 1 ? "song" : `${tracks} songs`} are in Recently deleted`;
  });

const separate = (album: Arrived) =>
  settle(album, async (params) => {
    const { tracks } = await dataOf(api.POST("/app/albums/{playlistId}/separate", { params }));
    return `${tracks === 1 ? "1 song stays" : `${tracks} songs stay`} as separate tracks`;
  });

type Params = { path: { playlistId: string } };

/** Asks the server to have an album otherwise, and says what became of it. */
async function settle({ id }: Arrived, ask: (params: Params) => Promise<string>): Promise<void> {
  try {
    const words = await ask({ path: { playlistId: id } });
    arrived.value = arrived.value.filter((album) => album.id !== id);
    toast(words);
  } finally {
    changed("playlists", null);
    changed("tracks", null);
  }
}
