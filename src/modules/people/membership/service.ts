export { addToCast, changeInCast, getCast, removeFromCast } from "./cast.ts";
export { deletePerson } from "./deletion.ts";
export { getAccess, leave, removeMember, tidyTeam } from "./ending.ts";
export { inviteMember, listSentInvitations, renewMember } from "./invite.ts";
export { admit, findInvitation, type Joining, join, type Visitor, visitorOf } from "./joining.ts";
export { listLog } from "./log.ts";
export { giveLibrary, handOver } from "./owner.ts";
