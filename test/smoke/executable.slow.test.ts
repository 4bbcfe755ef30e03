import { executableAlone } from "./built.ts";
import { walk } from "./walk.ts";

walk("the compiled executable, alone in an empty folder", executableAlone);
