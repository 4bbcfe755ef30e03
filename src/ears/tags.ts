/** What the networks heard; change it whenever the numbers change their meaning. */
export const EARS_VERSION = "musicnn-1";

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

const SECOND_NETWORK = HEARD_TAGS.length / 2;

/** Returns the place of a tag in what is heard; a star stands for the second network. */
export function indexOfHeard(name: string): number {
  return name.endsWith("*")
    ? HEARD_TAGS.indexOf(name.slice(0, -1), SECOND_NETWORK)
    : HEARD_TAGS.indexOf(name);
}
