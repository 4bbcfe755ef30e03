/** @jsxRuntime automatic @jsxImportSource preact */
import { api, dataOf } from "../../api/client.ts";
import { changed } from "../../api/queries.ts";
import type { Card } from "../../playlists/types.ts";
import { copyLink } from "../../share/copy.ts";
import { Button } from "../../ui/button.tsx";
import { Switch } from "../../ui/field.tsx";
import { toast } from "../../ui/toast.tsx";

/** Whether anyone with the link can listen. */
export function PublicLink({ card }: { card: Card }) {
  const { publicUrl } = card;
  return (
    <div class="playlist-public">
      <Switch
        label="Anyone with the link can listen"
        {...(publicUrl === null && { hint: "Not shared: only people with their own link can open it." })}
        isOn={publicUrl !== null}
        onChange={(isPublic) => publish(card, isPublic)}
      />
      {publicUrl !== null && (
        <Button look="quiet small" icon="copy" run={() => copyLink(publicUrl)}>
          Copy link
        </Button>
      )}
    </div>
  );
}

async function publish({ id }: Card, isPublic: boolean): Promise<void> {
  const params = { path: { playlistId: id } };
  try {
    await dataOf(
      isPublic
        ? api.PUT("/app/playlists/{playlistId}/public", { params })
        : api.DELETE("/app/playlists/{playlistId}/public", { params }),
    );
    toast(isPublic ? "Anyone with the link can listen" : "The link is off");
  } finally {
    changed("shares", null);
    changed("playlists", [id]);
  }
}
