/** Every test knows every preset, as the headless program does. */
import { addPresets } from "../../src/cli/presets.ts";

addPresets();
