/** The imports of MuJoCo's WebAssembly that hand arrays over to JavaScript; addresses are numbers. */
interface ViewImports {
  _embind_register_memory_view(type: number, elements: number, name: number): void;
  _emval_take_value(type: number, view: number): number;
}

/** Index of Uint8Array among the element types of embind's views. */
const BYTES = 1;

/**
 * Lets arrays of C's `bool` (jnt_limited, actuator_ctrllimited, …) arrive as bytes. MuJoCo's bindings expose these fields
 * but leave their type unregistered, so that reading one fails; here it is registered when it first turns up.
 * @param imports what the WebAssembly is about to be instantiated with; changed in place
 */
export function passBooleanArrays(imports: object): void {
  const { env } = imports as { env: ViewImports };
  const { _embind_register_memory_view: register, _emval_take_value: take } = env;
  let anyName = 0;
  const patched: ViewImports = {
    _embind_register_memory_view(type, elements, name) {
      anyName = name;
      register(type, elements, name);
    },
    _emval_take_value(type, view) {
      try {
        return take(type, view);
      } catch (error) {
        // The C++ name of memory_view<bool>.
        if (!(error instanceof Error && error.message.includes('memory_viewIbE'))) throw error;
        register(type, BYTES, anyName);
        return take(type, view);
      }
    },
  };
  Object.assign(env, patched);
}
