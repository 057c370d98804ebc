// Fills a small disk with checkpoints until one is refused, then says what it was told.
// Usage: full_disk_writer.mjs <URL of run_directory> <run> <config as JSON>
const [, , moduleUrl, path, config] = process.argv;
const { createRun } = await import(moduleUrl);

const run = createRun(path, JSON.parse(config));
let step = 0;
try {
  for (;;) {
    step += 1000;
    run.metrics.append({ step });
    run.writeCheckpoint(
      step,
      new Map([
        ['policy.onnx', new Uint8Array(100_000).fill(step / 1000)],
        ['learner.safetensors', new Uint8Array(200_000).fill(step / 1000)],
      ]),
    );
  }
} catch (error) {
  console.log(JSON.stringify({ step, name: error.name, message: error.message }));
}
// Nor do lines fit once the last free block is used up.
try {
  for (let line = 0; ; line++) run.metrics.append({ step, line, text: 'x'.repeat(200) });
} catch (error) {
  console.log(JSON.stringify({ name: error.name, message: error.message }));
}
run.release();
