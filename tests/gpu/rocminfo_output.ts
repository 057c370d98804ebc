/** Text in the layout of rocminfo: one processor, then GPUs. Only lines that matter, in its order and indentation. */
export function rocminfoOutput(gpus: readonly { gfx: string; name: string; units: number }[]): string {
  const agents = [
    agent(1, '  Name:                    AMD Ryzen 9 7950X 16-Core Processor  ', 'AMD Ryzen 9 7950X 16-Core Processor', 'CPU', 32),
    ...gpus.map(
      (gpu, index) => agent(index + 2, `  Name:                    ${gpu.gfx}              `, gpu.name, 'GPU', gpu.units) + isa(gpu.gfx),
    ),
  ];
  return `ROCk module is loaded
=====================
HSA System Attributes
=====================
Runtime Version:         1.1
Machine Model:           LARGE

==========
HSA Agents
==========
${agents.join('')}*** Done ***
`;
}

function agent(number: number, nameLine: string, marketingName: string, type: string, units: number): string {
  return `*******
Agent ${number}
*******
${nameLine}
  Uuid:                    ${type}-XX
  Marketing Name:          ${marketingName}
  Vendor Name:             ${type === 'GPU' ? 'AMD' : 'CPU'}
  Node:                    ${number - 1}
  Device Type:             ${type}
  Cache Info:
    L1:                      32(0x20) KB
  Compute Unit:            ${units}
  Pool Info:
    Pool 1
      Segment:                 GLOBAL; FLAGS: COARSE GRAINED
`;
}

function isa(gfx: string): string {
  return `  ISA Info:
    ISA 1
      Name:                    amdgcn-amd-amdhsa--${gfx}
`;
}
