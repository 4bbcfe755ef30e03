// The words by which a brief takes something back, as patterns for plain text. `scopes.ts` says how far each reaches.

const any = (...parts: readonly string[]) => parts.join("|");

/** Says that something is not needed: it is then neither wanted nor unwanted. */
export const INDIFFERENCE = new RegExp(
  `\\b(?:${any(
    "(?:do|does|need|would|did)(?:n't|nt| not) (?:have to|need to|need|necessarily|mind|require|matter|care)",
    "not necessarily|no need (?:for|to)|need not|no matter|with or without|(?:don't|do not|doesn't) care|whether or not",
    "no strong (?:feelings|opinion|preference)s? (?:on|about)|no preference (?:on|about|for|between)?|either",
  )})\\b`,
  "g",
);
/** The same, said after it: "tempo is not important". */
export const INDIFFERENT_BEFORE =
  /(?:\b(?:is|are|being)?\s*(?:n't|not|un)\s*-?(?:that |really |so |too )?(?:important|necessary|essential|required|needed|mandatory|crucial|a must)|\boptional|\b(?:doesn't|does not|don't) (?:really )?matter|\bnot fussed|\beither way|\byour call|\bup to you|\bor not)\b/g;

/** Looks like a negation and is none. */
export const INNOCENT = new RegExp(
  `\\b(?:${any(
    "no-(?:nonsense|frills|brainer)|no less (?=[a-z]+ than)|(?:would|wo|ca)n'?t say no to|non-?vocals?|not (?:only|just|sure|yet|merely|simply|to mention|bad|unlike|without|forgetting|that (?:it|they|i|we)|a problem|my|for nothing|really sure)",
    "no (?:wait|problem|worries|doubt|preference|idea|clue|rush|budget|one(?! (?:sing|rap|talk|speak|want|like))|stranger|frills|holds|nonsense|matter|big deal|pressure|thanks|limit|limits|money|time|joke|kidding|expense|surprises|particular|specific|longer|brainer)",
    "(?:no|not|never|nothing) (?:any )?(?:more|less|longer|shorter|slower|faster|later|earlier|fewer|lower|higher) than(?= (?:a|an|one|two|three|four|five|six|seven|eight|nine|ten|half|\\d|:))|no (?:more|less|longer|shorter|slower|faster|later|earlier|fewer|lower|higher) than|more or less|less is more|less than|never (?:mind|ending|gets old|lets up|stops?|give up|giving up|before|mind|again|fails)",
    "(?:don't|do not|dont) (?:forget|worry|hesitate|hold back|be (?:afraid|shy|scared)|know|have (?:a|any|much)|think|get me wrong|stop|let up|mind)|(?:can't|cannot|can not) (?:wait|get enough|go wrong|afford|help|find|believe|decide|remember|share|stop|recall|be beaten)",
    "why not|if not|or not|non-?stop|none other|nothing but|nothing less|without (?:losing|sacrificing|stopping|fail|further|question|doubt|a doubt)|couldn't be (?:happier|more)|wouldn't (?:mind|be out|it)|won't (?:let up|stop)|isn't it|aren't they|hate to|too many (?:options|cooks)",
  )})\\b|\\b(?:won|don)'t stop\\b`,
  "g",
);

/** Opens a negation: what follows is not wanted. */
export const CUES = new RegExp(
  `(?<![\\p{L}'-])(?:${any(
    "no|not|non|nope|without|w/o|sans|never|nothing|nor|neither|none(?: of)?|zero|minus|no more|hold the|hardly any",
    "avoid(?:ing|s)?|hat(?:e|es|ed|ing)|dislik(?:e|es|ed|ing)|can't stand|loathes?|detests?|instead of|in place of|in lieu of|rather than|as opposed to",
    "(?:the )?opposite of|free of|free from|devoid of|void of|lacking|clear of|away from|shy(?:ing)? away from|far from|stay(?:ing)? off|skip(?:ping)?|lose|ditch(?:ing)?",
    "leave out|leav(?:e|ing) off|tak(?:e|ing) out|forget(?: about)?(?! to\\b)|(?:nobody|no one) (?:wants?|likes?)|cut out|exclud(?:e|es|ing)|ban(?:ned|ning)?|nix|tired of|sick of|bored of|bored with|fed up with|had enough of|enough (?:of|with)|over(?:used|done)|allergic to|refus(?:e|es|ing)",
    "(?:way|far|much|a bit|a little|just|kind of|all) too|(?:is|are|was|were|been|feels?|felt|sounds?|sounded|gets?|got|getting|went|goes|going|seems?|'s|comes? across as|a little) too|less|fewer|tried|(?:ca|is|are|wo|should|must|do|does|did|was|would|could)n'?t(?: want| like| be| use| go| include| sound| feel)?|can ?not|must not|should not",
    "if i (?:hear|get|see) (?:another|one more|any more)|originally(?= \\p{L}+,? (?:but )?now\\b)|(?:was|were) (?:thinking(?: of)?|going (?:for|with))(?=[^.;!?\\n]{0,60}\\bnow\\b)",
    "previously (?:it |we |they |i )?(?:was|were|had|used|went)|originally (?:it |we |they )?(?:was|were|had|used|wanted)|initially (?:it |we |they )?(?:was|were|had|used|wanted)|formerly|used to (?:be|have|use)|the (?:old|last|previous|first) (?:one|version|track|temp|edit|ad|spot|campaign|cut|song|composer|agency)(?: was| had| used| went)",
    "no-?gos?:?|don'?ts:?|keep out|steer clear of|stay clear of|against|anti|any(?:thing|body|one)? ?(?:\\p{L}+ ){0,2}but|everything but|all but|(?:all|every) (?:genres?|styles?|kinds?|instruments?|moods?|sounds?) but",
  )})(?![\\p{L}'])`,
  "gu",
);
/** Takes back inside of a negation, and is one elsewhere: "no drums except brushes", "anything except trap". */
export const EXCEPTION =
  /\b(?:except(?:ing)?(?: for| maybe| perhaps)?|apart from|other than|besides|save for|aside from|with the exception of|bar)\b/g;
/** "Anything except trap": before an exception, everything is let in. */
export const SWEEPING =
  /\b(?:any|anything|everything|all|every|whatever|whichever|open to)\b[^.;:!?\n]{0,30}$/;

/** Said after what is not wanted: "trap is out", "vocals: none". */
export const AFTERWARDS =
  /(?:\b(?:is|are|was|were|feels?|felt|sounds?|sounded|would be|been|seems?|seemed|gets?|got)|'s|'re)\s+(?:(?:all|also|both|totally|completely|just|way|definitely|a bit|a little|far|really|absolutely|so|kind of|strictly|now)\s+)*(?:out\b(?! (?:in|on|of|there|now|this|next|soon))|off the table|off[- ]limits|off the menu|(?:an? )?(?:absolute |hard |big |total |definite |strict )?(?:no[- ]?(?:go|no)?|non-starter|turn-?off|deal-?breaker|cliche)\b(?! (?:longer|idea|problem))|banned|forbidden|prohibited|verboten|vetoed|rejected|overused|overdone|done to death|played out|too (?:much|obvious|small|cheesy|on the nose|generic|safe|expected|busy|cliched?|corporate|slick|twee|predictable|dated)|wrong|not (?:right|for us|working|it|an option|allowed|ok|okay|wanted|welcome|what))|\b(?:didn't|doesn't|don't|won't|wouldn't|did not|does not|do not) (?:really )?(?:work|fit|feel right|land|do it|cut it|apply)\b|\bneed not apply\b|\b(?:would|will|'d|might|can|could) (?:just |only |be |really |all )*(?:distract\w*|ruin|kill|clash|compete|overpower|get in the way|too much|too busy)\b|,\s*no(?:pe)?\b(?=\s*(?:$|[\n.;!]))|(?:[:=?]|\s-)\s*(?:(?:god|hell|definitely|absolutely|please|oh) )?(?:no(?:ne|pe|t)?|zero|avoid)\b(?= (?:thanks|thank you|way|please)\b|\s*(?:$|[\n.;,!|/)]))/g;
/** "... and we are bored of both": what was said before is not wanted. */
export const OF_THAT =
  /\b(?:(?:so |all )?(?:bored|sick|tired|fed up|done|over) (?:of|with|by) |(?:hates?|hated|dislikes?|can't stand|cannot stand|don't want|doesn't want|didn't like|doesn't like|don't like|not feeling|not into|rejected|vetoed|killed|scratch|strike|scrap|(?:am|are|is|'m|'re|'s) (?:politely )?(?:ignoring|overruling)) (?:his |her |their )?)(?:it|that|them|him|her|both|those|these|all of (?:it|that|them|those))\b(?! (?:to|as|with|too|so|be|get|feel|sound|sounding|feeling|being|where|when|if)\b)/g;
/** "Strings yes, brass no." */
export const PAIRED_NO = /(?<=\p{L}) no(?=\s*(?:$|[.,;!\n]))/gu;
/** "Keep the strings out of it." */
export const KEPT_OUT =
  /\b(?:keep|leave|take|cut|strip)(?:ing)? (?:the |any |all )?\p{L}+(?: \p{L}+)? out\b/gu;
/** Refers to what was said before. */
export const PRONOUN = /\b(?:that|it|this|they|those|these|which|neither|both|all of (?:it|them|that))\s*$/;

/** Ends a negation: the end of the phrase, or a word that turns back to what is wanted. */
export const END =
  /[.;:!?|()\n]|,|\s[-/]\s|\b(?:but|just|only|yet|though|although|until|please|more|instead|with|so|then|because|since|while|whereas|keep|want|wants|need|needs|prefer|think|should|must|ideally|rather|on top|under|over|underneath|let's|make|and (?:a|an|the|lots|plenty|some|keep|make|it|we|i|more|should|must|please|is|are|with|then|very|really|maybe|preferably|around|about|at|in|under|\d))\b/;
/** Words that lead to what is taken back: "anything with a", "too", "being". */
export const LEADING =
  /^(?:[:\s]*(?:(?:send|give|pitch|show|bring|play|submit)(?: me| us)?|any(?:thing)?|something|some|stuff|tracks?|songs?|things?|music|of|the|too|overly|that(?:'s| is| has| sounds?| feels?| are)?|with|like|sounding|feeling|being|having|using|to|be|go|get|getting|sound|feel|feels|as|so|very|much|many|a|an|another|other|your|typical|usual|those|these|at all|ever|in the least|please|over(?:ly)?|full[- ]on|straight|more)(?=[\s,:]))*\s*[^\s,.;:!?|()]*/;
