// The simulated device for a torch that is built for CUDA: the same sources, as a device of the type PrivateUse1.
#define OVERHEAD_REDUCED
#include "../simulated/unit.cpp"
