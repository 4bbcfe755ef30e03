/** What the networks heard, the first numbers of what is stored; change it whenever these change their meaning. */
export const NETWORKS_VERSION = "musicnn-1";
/** All that was heard; change it whenever a number changes its meaning. */
export const EARS_VERSION = `${NETWORKS_VERSION}.5`;
/** Versions that begin with the same log-odds of HEARD_TAGS. What older ones have behind them has another meaning. */
export const SAME_TAGS_VERSIONS: readonly string[] = [
  EARS_VERSION,
  `${NETWORKS_VERSION}.4`,
  `${NETWORKS_VERSION}.3`,
  `${NETWORKS_VERSION}.2`,
  `${NETWORKS_VERSION}.1`,
  NETWORKS_VERSION,
];

/** The tags of both networks, in the order of their log-odds: MagnaTagATune's, then those of the Million Song Dataset. */
export const HEARD_TAGS: readonly string[] = (
  "guitar,classical,slow,techno,strings,drums,electronic,rock,fast,piano,ambient,beat,violin,vocal,synth,female," +
  "indian,opera,male,singing,vocals,no vocals,harpsichord,loud,quiet,flute,woman,male vocal,no vocal,pop,soft,sitar," +
  "solo,man,classic,choir,voice,new age,dance,male voice,female vocal,beats,harp,cello,no voice,weird,country,metal," +
  "female voice,choral," +
  "rock,pop,alternative,indie,electronic,female vocalists,dance,00s,alternative rock,jazz,beautiful,metal,chillout," +
  "male vocalists,classic rock,soul,indie rock,Mellow,electronica,80s,folk,90s,chill,instrumental,punk,oldies,blues," +
  "hard rock,ambient,acoustic,experimental,female vocalist,guitar,Hip-Hop,70s,party,country,easy listening,sexy," +
  "catchy,funk,electro,heavy metal,Progressive rock,60s,rnb,indie pop,sad,House,happy"
).split(",");

/** Instruments that are heard by a layer of our own: taxonomy names. */
export const HEARD_INSTRUMENTS = [
  "Piano",
  "Electric Piano",
  "Harpsichord",
  "Mallets",
  "Organ",
  "Church Organ",
  "Accordion",
  "Harmonica",
  "Guitar",
  "Acoustic Guitar",
  "Electric Guitar",
  "Distorted Guitar",
  "Bass Guitar",
  "Double Bass",
  "Synth Bass",
  "Strings",
  "Violin",
  "Cello",
  "Pizzicato Strings",
  "Harp",
  "Choir",
  "Brass",
  "Trumpet",
  "Trombone",
  "French Horn",
  "Saxophone",
  "Woodwinds",
  "Clarinet",
  "Flute",
  "Synth",
  "Synth Lead",
  "Synth Pad",
  "Drums",
] as const;
/** Genres that follow from who plays and who does not: taxonomy names. */
export const HEARD_GENRES = ["Classical", "Folk", "Jazz", "Solo Piano"] as const;
/** What that layer hears, in the order of its log-odds behind those of HEARD_TAGS. */
export const HEARD_NAMES = [...HEARD_INSTRUMENTS, ...HEARD_GENRES];
export type HeardGenre = (typeof HEARD_GENRES)[number];
export type HeardName = (typeof HEARD_NAMES)[number];
/** Numbers that are heard in a recording. */
export const HEARD_NUMBERS = HEARD_TAGS.length + HEARD_NAMES.length;

const SECOND_NETWORK = HEARD_TAGS.length / 2;

/** Returns the place of a tag in what is heard; a star stands for the second network. */
export function indexOfHeard(name: string): number {
  return name.endsWith("*")
    ? HEARD_TAGS.indexOf(name.slice(0, -1), SECOND_NETWORK)
    : HEARD_TAGS.indexOf(name);
}
