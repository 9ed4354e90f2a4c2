/** Component tests wait for what appears, as long as a busy machine needs; nothing is asserted about how long that is. */
import { configure } from "@testing-library/react";

configure({ asyncUtilTimeout: 10_000 });
