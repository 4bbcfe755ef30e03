/**
 * The shapes of OpenSubsonic, as its OpenAPI document has them (opensubsonic/open-subsonic-api, Apache-2.0, of 24 July 2026): for each
 * name the fields with their types. `!` marks what is required, `[]` a list.
 */
const TEXTS: Readonly<Record<string, string>> = {
  Child:
    "id:string! parent:string isDir:boolean! title:string! album:string artist:string track:integer " +
    "year:integer genre:string coverArt:string size:integer contentType:string suffix:string " +
    "transcodedContentType:string transcodedSuffix:string duration:integer bitRate:integer " +
    "bitDepth:integer samplingRate:integer channelCount:integer path:string isVideo:boolean " +
    "userRating:integer averageRating:number playCount:integer discNumber:integer created:string " +
    "starred:string albumId:string artistId:string type:string mediaType:string bookmarkPosition:integer " +
    "originalWidth:integer originalHeight:integer played:string bpm:integer comment:string " +
    "sortName:string musicBrainzId:string isrc:string[] genres:ItemGenre[] artists:ArtistID3[] " +
    "displayArtist:string albumArtists:ArtistID3[] displayAlbumArtist:string contributors:Contributor[] " +
    "displayComposer:string moods:string[] replayGain:ReplayGain explicitStatus:string works:Work[] " +
    "movements:Movement[] groupings:string[]",
  AlbumID3:
    "id:string! name:string! version:string artist:string artistId:string coverArt:string " +
    "songCount:integer! duration:integer! playCount:integer created:string! starred:string year:integer " +
    "genre:string played:string userRating:integer recordLabels:RecordLabel[] musicBrainzId:string " +
    "genres:ItemGenre[] artists:ArtistID3[] displayArtist:string releaseTypes:string[] moods:string[] " +
    "sortName:string originalReleaseDate:ItemDate releaseDate:ItemDate isCompilation:boolean " +
    "explicitStatus:string discTitles:DiscTitle[] song:Child[]",
  AlbumID3WithSongs:
    "id:string! name:string! version:string artist:string artistId:string coverArt:string " +
    "songCount:integer! duration:integer! playCount:integer created:string! starred:string year:integer " +
    "genre:string played:string userRating:integer recordLabels:RecordLabel[] musicBrainzId:string " +
    "genres:ItemGenre[] artists:ArtistID3[] displayArtist:string releaseTypes:string[] moods:string[] " +
    "sortName:string originalReleaseDate:ItemDate releaseDate:ItemDate isCompilation:boolean " +
    "explicitStatus:string discTitles:DiscTitle[] song:Child[]!",
  ArtistID3:
    "id:string! name:string! coverArt:string artistImageUrl:string albumCount:integer starred:string " +
    "musicBrainzId:string sortName:string disambiguation:string roles:string[]",
  ArtistWithAlbumsID3:
    "id:string! name:string! coverArt:string artistImageUrl:string albumCount:integer starred:string " +
    "musicBrainzId:string sortName:string disambiguation:string roles:string[] album:AlbumID3[]!",
  ArtistsID3: "ignoredArticles:string index:IndexID3[]",
  IndexID3: "name:string! artist:ArtistID3[]",
  Index: "name:string! artist:Artist[]",
  Indexes: "ignoredArticles:string! lastModified:integer! shortcut:Artist[] child:Child[] index:Index[]",
  Artist:
    "id:string! name:string! artistImageUrl:string starred:string userRating:integer averageRating:number",
  Directory:
    "id:string! parent:string name:string! starred:string userRating:integer averageRating:number " +
    "playCount:integer child:Child[]",
  Playlist:
    "id:string! name:string! comment:string owner:string public:boolean songCount:integer! " +
    "duration:integer! created:string! changed:string! coverArt:string allowedUser:string[] " +
    "readonly:boolean validUntil:string",
  PlaylistWithSongs:
    "id:string! name:string! comment:string owner:string public:boolean songCount:integer! " +
    "duration:integer! created:string! changed:string! coverArt:string allowedUser:string[] " +
    "readonly:boolean validUntil:string entry:Child[]",
  Playlists: "playlist:Playlist[]",
  User:
    "username:string! scrobblingEnabled:boolean! maxBitRate:integer adminRole:boolean! " +
    "settingsRole:boolean! downloadRole:boolean! uploadRole:boolean! playlistRole:boolean! " +
    "coverArtRole:boolean! commentRole:boolean! podcastRole:boolean! streamRole:boolean! " +
    "jukeboxRole:boolean! shareRole:boolean! videoConversionRole:boolean! avatarLastChanged:string " +
    "folder:integer[]",
  License: "valid:boolean! email:string licenseExpires:string trialExpires:string",
  ScanStatus: "scanning:boolean! count:integer",
  Lyrics: "value:string! artist:string title:string",
  LyricsList: "structuredLyrics:StructuredLyrics[]",
  StructuredLyrics:
    "lang:string! synced:boolean! line:Line[]! displayArtist:string displayTitle:string offset:number " +
    "kind:string agents:Agent[] cueLine:CueLine[]",
  Line: "value:string! start:number",
  MusicFolder: "id:integer! name:string",
  MusicFolders: "musicFolder:MusicFolder[]",
  Genre: "value:string! songCount:integer! albumCount:integer!",
  Genres: "genre:Genre[]",
  SearchResult2: "artist:Artist[] album:Child[] song:Child[]",
  SearchResult3: "artist:ArtistID3[] album:AlbumID3[] song:Child[]",
  Starred: "artist:Artist[] album:Child[] song:Child[]",
  Starred2: "artist:ArtistID3[] album:AlbumID3[] song:Child[]",
  AlbumList: "album:Child[]",
  AlbumList2: "album:AlbumID3[]",
  Songs: "song:Child[]",
  SimilarSongs: "song:Child[]",
  SimilarSongs2: "song:Child[]",
  OpenSubsonicExtension: "name:string! versions:integer[]!",
  TokenInfo: "username:string!",
  ReplayGain:
    "trackGain:number albumGain:number trackPeak:number albumPeak:number baseGain:number " +
    "fallbackGain:number",
  ItemDate: "year:integer month:integer day:integer",
  ItemGenre: "name:string!",
  RecordLabel: "name:string!",
  NowPlaying: "entry:NowPlayingEntry[]!",
  Bookmarks: "bookmark:Bookmark[]",
  PlayQueue:
    "current:string position:integer username:string! changed:string! changedBy:string! entry:Child[]",
  Podcasts: "channel:PodcastChannel[]",
  NewestPodcasts: "episode:PodcastEpisode[]",
  InternetRadioStations: "internetRadioStation:InternetRadioStation[]",
  Shares: "share:Share[]",
  TopSongs: "song:Child[]",
  ArtistInfo:
    "biography:string musicBrainzId:string lastFmUrl:string smallImageUrl:string mediumImageUrl:string " +
    "largeImageUrl:string similarArtist:Artist[]",
  ArtistInfo2:
    "biography:string musicBrainzId:string lastFmUrl:string smallImageUrl:string mediumImageUrl:string " +
    "largeImageUrl:string similarArtist:ArtistID3[]",
  AlbumInfo:
    "notes:string musicBrainzId:string lastFmUrl:string smallImageUrl:string mediumImageUrl:string " +
    "largeImageUrl:string",
  Error: "code:integer! message:string helpUrl:string",
};

type Field = { type: string; isList: boolean; isRequired: boolean };

const SHAPES = new Map(
  Object.entries(TEXTS).map(([name, text]) => [
    name,
    new Map(
      text.split(/\s+/).map((each): [string, Field] => {
        const [field = "", type = ""] = each.split(":");
        return [
          field,
          { type: type.replace(/[[\]!]/g, ""), isList: type.includes("[]"), isRequired: type.endsWith("!") },
        ];
      }),
    ),
  ]),
);

/** What each method answers with: the name of its field, and its shape. Left out: nothing. */
export const ANSWERS: Readonly<Record<string, readonly [field: string, shape: string] | null>> = {
  ping: null,
  getLicense: ["license", "License"],
  getOpenSubsonicExtensions: ["openSubsonicExtensions", "OpenSubsonicExtension[]"],
  tokenInfo: ["tokenInfo", "TokenInfo"],
  getUser: ["user", "User"],
  getMusicFolders: ["musicFolders", "MusicFolders"],
  getIndexes: ["indexes", "Indexes"],
  getMusicDirectory: ["directory", "Directory"],
  getArtists: ["artists", "ArtistsID3"],
  getArtist: ["artist", "ArtistWithAlbumsID3"],
  getAlbum: ["album", "AlbumID3WithSongs"],
  getAlbumList: ["albumList", "AlbumList"],
  getAlbumList2: ["albumList2", "AlbumList2"],
  getSong: ["song", "Child"],
  getGenres: ["genres", "Genres"],
  getSongsByGenre: ["songsByGenre", "Songs"],
  getRandomSongs: ["randomSongs", "Songs"],
  search2: ["searchResult2", "SearchResult2"],
  search3: ["searchResult3", "SearchResult3"],
  getStarred: ["starred", "Starred"],
  getStarred2: ["starred2", "Starred2"],
  getPlaylists: ["playlists", "Playlists"],
  getPlaylist: ["playlist", "PlaylistWithSongs"],
  getSimilarSongs: ["similarSongs", "SimilarSongs"],
  getSimilarSongs2: ["similarSongs2", "SimilarSongs2"],
  getLyrics: ["lyrics", "Lyrics"],
  getLyricsBySongId: ["lyricsList", "LyricsList"],
  scrobble: null,
  getScanStatus: ["scanStatus", "ScanStatus"],
  getNowPlaying: ["nowPlaying", "NowPlaying"],
  getBookmarks: ["bookmarks", "Bookmarks"],
  getPlayQueue: ["playQueue", "PlayQueue"],
  getPodcasts: ["podcasts", "Podcasts"],
  getNewestPodcasts: ["newestPodcasts", "NewestPodcasts"],
  getInternetRadioStations: ["internetRadioStations", "InternetRadioStations"],
  getShares: ["shares", "Shares"],
  getTopSongs: ["topSongs", "TopSongs"],
  getArtistInfo: ["artistInfo", "ArtistInfo"],
  getArtistInfo2: ["artistInfo2", "ArtistInfo2"],
  getAlbumInfo: ["albumInfo", "AlbumInfo"],
  getAlbumInfo2: ["albumInfo", "AlbumInfo"],
};

/** Returns what is wrong with a value of a shape, such as `song.title: missing`. */
export function faults(shape: string, value: unknown, at = ""): string[] {
  if (shape.endsWith("[]")) {
    if (!Array.isArray(value)) return [`${at}: no list`];
    return value.flatMap((each, index) => faults(shape.slice(0, -2), each, `${at}[${index}]`));
  }
  const fields = SHAPES.get(shape);
  if (!fields) return isOfType(shape, value) ? [] : [`${at}: ${JSON.stringify(value)} is no ${shape}`];
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [`${at}: no ${shape}`];
  const missing = [...fields].flatMap(([name, { isRequired }]) =>
    isRequired && !(name in value) ? [`${at}.${name}: missing`] : [],
  );
  const wrong = Object.entries(value).flatMap(([name, each]) => {
    const field = fields.get(name);
    if (!field) return [`${at}.${name}: unknown`];
    return faults(field.type + (field.isList ? "[]" : ""), each, `${at}.${name}`);
  });
  return [...missing, ...wrong];
}

function isOfType(type: string, value: unknown): boolean {
  if (type === "integer") return Number.isInteger(value);
  return typeof value === type;
}

/** An element of XML, as far as the protocol uses it. */
type Element = { name: string; attributes: Record<string, string>; children: Element[]; text: string };

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';
const PIECE = /<\/([\w-]+)>|<([\w-]+)((?: [\w-]+="[^"<]*")*)(\/?)>|([^<]+)/gy;

/** Reads XML as strictly as it is written here. */
export function readXml(xml: string): Element {
  if (!xml.startsWith(DECLARATION)) throw new Error("no declaration");
  const body = xml.slice(DECLARATION.length);
  const pieces = [...body.matchAll(new RegExp(PIECE, "gy"))];
  if (pieces.map(([all]) => all).join("") !== body) throw new Error("not well-formed");
  const root: Element = { name: "", attributes: {}, children: [], text: "" };
  const open = [root];
  for (const piece of pieces) read(piece, open);
  const [only, another] = root.children;
  if (!only || another || open.length > 1) throw new Error("not one element");
  return only;
}

function read([, closed, name, attributes = "", isEmpty, text]: RegExpExecArray, open: Element[]): void {
  const inside = open.at(-1);
  if (closed !== undefined && open.pop()?.name !== closed) throw new Error(`</${closed}> closes nothing`);
  if (text !== undefined && inside) inside.text += unescaped(text);
  if (name === undefined) return;
  const element = { name, attributes: attributesIn(attributes), children: [], text: "" };
  inside?.children.push(element);
  if (isEmpty !== "/") open.push(element);
}

function attributesIn(text: string): Record<string, string> {
  const pairs = [...text.matchAll(/ ([\w-]+)="([^"]*)"/g)].map(([, key = "", value = ""]) => [
    key,
    unescaped(value),
  ]);
  if (new Set(pairs.map(([key]) => key)).size !== pairs.length) throw new Error("an attribute twice");
  return Object.fromEntries(pairs);
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"' };

function unescaped(text: string): string {
  return text.replaceAll(/&(?:#(\d+)|(\w+));|&|\p{Cc}/gu, (all, code, name) => {
    const character = code ? String.fromCodePoint(Number(code)) : ENTITIES[name];
    if (character === undefined) throw new Error(`${JSON.stringify(all)} in a text`);
    return character;
  });
}

/** Returns what an element says, in the form of the JSON of its shape. */
export function asJson(shape: string, { attributes, children, text }: Element): unknown {
  const fields = SHAPES.get(shape);
  if (!fields) return scalar(shape, text);
  const said: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(attributes))
    said[name] = scalar(fields.get(name)?.type ?? "", value);
  for (const [name, field] of fields) if (field.isList) said[name] = [];
  for (const child of children) {
    const field = fields.get(child.name);
    const value = asJson(field?.type ?? "", child);
    if (field?.isList) (said[child.name] as unknown[]).push(value);
    else said[child.name] = value;
  }
  if (fields.has("value")) said.value = text;
  return said;
}

function scalar(type: string, text: string): unknown {
  if (type === "boolean") return text === "true";
  return type === "integer" || type === "number" ? Number(text) : text;
}

/** Returns JSON with the empty lists of its shape, which XML does not show. */
export function withEmptyLists(shape: string, value: unknown): unknown {
  if (shape.endsWith("[]"))
    return (value as unknown[]).map((each) => withEmptyLists(shape.slice(0, -2), each));
  const fields = SHAPES.get(shape);
  if (!fields) return value;
  const full: Record<string, unknown> = {};
  for (const [name, { isList }] of fields) if (isList) full[name] = [];
  for (const [name, each] of Object.entries(value as object)) {
    const field = fields.get(name);
    full[name] = withEmptyLists((field?.type ?? "") + (field?.isList ? "[]" : ""), each);
  }
  return full;
}
