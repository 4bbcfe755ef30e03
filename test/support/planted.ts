import { transact } from "../../db/client.ts";
import { type Activity, recordActivity } from "../../src/modules/library/analytics/service.ts";
import type { TestApp } from "./app.ts";
import { addTracks } from "./library.ts";
import { sine, wavBytes } from "./signals.ts";

export type Planted = Awaited<ReturnType<typeof plantLibrary>>;

/** The original that a planted library has. */
export const planted = (tone: number) => wavBytes([sine(8000, 0.4, tone)], 8000, 16);

/**
 * Makes a library in which everything has a name that no other has: two tracks, of which the first is a WAV with a composer, a
 * share of 37.37 %, and plays by a recipient of its link; a playlist, a comment and a brief.
 *
 * @param name Stands in every name.
 */
export async function plantLibrary(app: TestApp, name: string, tone: number) {
  const owner = app.createAccount();
  const { accountId } = owner;
  const key = app.createKey(accountId);
  const [api, web] = [app.as(key), app.signedIn(owner.token)];
  const form = new FormData();
  form.append("files", new File([planted(tone)], `${name} Song.wav`));
  const trackId: string = (await api("POST", "/tracks/upload", form)).body.data.uploaded[0].id;
  const [quietId = ""] = addTracks(app, accountId, [{ title: `${name} Quiet`, artist: `${name} Artist` }]);
  const composer = (
    await api("POST", "/composers", {
      fullName: `${name}composer Lind`,
      email: `${name}composer@example.com`.toLowerCase(),
      publisher: `${name}publisher`,
    })
  ).body.data;
  const shareholders = [{ shareholderId: composer.id, share: 37.37, role: "writer" }];
  await api("PUT", `/tracks/shareholders?id=${trackId}`, { shareholders });
  await api("PUT", `/tracks/shareholders?id=${quietId}`, { shareholders });
  const playlist = (await api("POST", "/playlists", { name: `${name} Roughs`, trackIds: [trackId, quietId] }))
    .body.data.playlist;
  const link = (await web("POST", "/app/shares", { trackId, recipient: `${name} Listener` })).body.data;
  const quietLink = (await web("POST", "/app/shares", { trackId: quietId, recipient: `${name} Silent` })).body
    .data;
  const play = (more: Partial<Activity> = {}) =>
    transact(app.deps.db, (tx) =>
      recordActivity(
        tx,
        {
          ...{ ownerId: accountId, entity: "track", entityId: trackId, metric: "plays" },
          ...{ actor: { type: "visitor", name: null }, shareId: link.id, visit: "v" },
          ...{ heardSec: 31, heard: "[[0,31]]", stoppedSec: 31 },
          ...more,
        },
        app.clock.now(),
      ),
    );
  for (let times = 0; times < 7; times++) play({ visit: `v${times}` });
  const comment = (await web("POST", `/app/tracks/${trackId}/comments`, { text: `${name} remark` })).body
    .data;
  const brief = (await web("POST", "/app/briefs", { name: `${name} Brief` })).body.data;
  return {
    owner,
    accountId,
    key,
    api,
    web,
    trackId,
    quietId,
    composer,
    playlist,
    link,
    quietLink,
    comment,
    brief,
    play,
  };
}
