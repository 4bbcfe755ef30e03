/** Capitalised words after "like" that are no artists; `*` marks a word that no artist's name holds. */
export const NOT_ARTISTS: ReadonlySet<string> = new Set(
  [
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october",
    "november december spring summer autumn winter christmas halloween easter thanksgiving hanukkah diwali ramadan valentine valentines",
    "paris london berlin tokyo rome madrid lisbon vienna prague budapest moscow dublin edinburgh glasgow manchester liverpool bristol",
    "marseille barcelona milan venice naples athens istanbul cairo marrakech morocco lagos nairobi mumbai delhi bangkok beijing shanghai",
    "seoul kyoto sydney melbourne chicago detroit brooklyn manhattan harlem hollywood miami vegas seattle portland austin texas california",
    "nashville memphis brazil mexico cuba havana jamaica spain france germany italy england scotland ireland wales britain america usa us",
    "uk europe africa asia australia india china japan korea russia turkey greece iceland norway sweden finland denmark canada argentina",
    "nike adidas apple google netflix disney pixar amazon bbc hbo itv espn tesla bmw audi volvo toyota ford coca-cola coke pepsi ikea",
    "mcdonald's mcdonalds starbucks samsung sony microsoft nintendo playstation xbox youtube tiktok instagram spotify lego rolex chanel dior gucci",
    "vo vfx tv ad pov dp ceo bpm edm dnb rnb uk usa eu la nyc ny sfx fx ep lp mv pr hr it ok asap nb fyi re ps pm am diy vhs cd dj mc ai vr 3d hd",
    "something someone somebody anything nothing everything this that these those what when where how why the a an it he she they we you my our your",
    "music song songs track tracks no not yes please thanks thank hi hello hey dear best cheers regards also and but or so then just maybe think need",
    "looking want let imagine picture instrumental vocals vocal tempo key mood genre duration length style bpm male female budget deadline brief director client",
    "god jesus mum mom dad grandma santa batman superman spiderman spider-man bond mario zelda sonic rocky rambo jaws gladiator titanic avatar",
    "inception dunkirk joker parasite moonlight whiplash drive interstellar arrival gravity succession euphoria dune skyrim minecraft fortnite halo",
    "godfather goodfellas scarface terminator matrix tron alien aliens predator robocop goonies ghostbusters gremlins beetlejuice clueless heathers",
    "western westerns art nouveau deco gothic victorian edwardian georgian medieval french english german spanish italian japanese american british irish",
    "black white red blue green gold silver star wars trek lord rings game thrones breaking bad mad men twin peaks black mirror peaky blinders",
    "stranger things blade runner miami vice top gun fight club pulp fiction kill bill james bond indiana jones harry potter jurassic park dark knight",
    "mission impossible pink panther wes anderson tim burton david lynch quentin tarantino guy ritchie sofia coppola stanley kubrick christopher nolan",
    "ridley scott martin scorsese steven spielberg ken burns david attenborough planet earth super mario final fantasy animal crossing stardew valley",
    "dark souls elden ring red dead redemption cyberpunk bake off love island top gear saturday night live bridgerton downton abbey the crown",
    "ghibli* simpsons* friends seinfeld sopranos* mandalorian wednesday barbie oppenheimer amélie yellowstone fargo severance westworld sounds",
    "squid white lotus money heist mad max toy story lion king hunger games black panther top chef formula one super bowl world cup",
    "cirque du soleil dj admin system user assistant admin mr mrs ms dr",
  ]
    .join(" ")
    .split(" ")
    .flatMap((word) => (word.endsWith("*") ? [word.slice(0, -1), `*${word.slice(0, -1)}`] : word))
    .concat(
      "star wars",
      "blade runner",
      "stranger things",
      "miami vice",
      "twin peaks",
      "wes anderson",
      "game of thrones",
    ),
);
