import { walkRefusals } from "../flows/refusals.ts";
import { executableAlone } from "./built.ts";

walkRefusals("the compiled executable", executableAlone);
