/** The headless program. */
process.stdout.write("queuescope\n");
