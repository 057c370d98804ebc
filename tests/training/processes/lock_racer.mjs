// Waits for a common moment, tries to take a run, and says what came of it; a winner keeps it until its standard input ends.
// Usage: lock_racer.mjs <URL of run_directory> <run> <moment in ms since 1970> <config as JSON, or "open">
const [, , moduleUrl, path, moment, config] = process.argv;
const { createRun, openRun } = await import(moduleUrl);

while (Date.now() < Number(moment));
try {
  if (config === 'open') openRun(path);
  else createRun(path, JSON.parse(config));
  console.log('got it');
} catch (error) {
  console.log(`${error.name}: ${error.message}`);
}
process.stdin.resume().on('end', () => process.exit(0));
