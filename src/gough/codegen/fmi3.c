/* FMI 3.0 co-simulation interface around the equations of a robot. VALUES, STATUS, TOKEN, STEP, start_values, begin,
 * advance and refresh are defined above. Value references are places in `values`; 0 is the time. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined(_WIN32)
#define PUBLIC __declspec(dllexport)
#else
#define PUBLIC __attribute__((visibility("default")))
#endif

typedef enum { OK, WARNING, DISCARD, FAILED, FATAL } Answer;
typedef uint32_t Ref;
typedef void (*Log)(void *environment, Answer status, const char *category, const char *message);
typedef void (*Update)(void *, bool, bool, bool, bool, bool, double);

typedef struct {
    double values[VALUES];
    Robot robot;
    void *environment;
    Log log;
} Instance;

static Answer failed(Instance *it, const char *message)
{
    if (it != NULL && it->log != NULL)
        it->log(it->environment, FAILED, "logStatusError", message);
    return FAILED;
}

static void restart(Instance *it)
{
    memcpy(it->values, start_values, sizeof it->values);
    memset(&it->robot, 0, sizeof it->robot);
}

PUBLIC const char *fmi3GetVersion(void) { return "3.0"; }

PUBLIC Answer fmi3SetDebugLogging(void *i, bool on, size_t n, const char *const categories[])
{
    (void)i, (void)on, (void)n, (void)categories;
    return OK;
}

PUBLIC void *fmi3InstantiateCoSimulation(const char *name, const char *token, const char *resources, bool visible,
    bool logging, bool events, bool early, const Ref required[], size_t n, void *environment, Log log, Update update)
{
    Instance *it;
    (void)name, (void)resources, (void)visible, (void)logging, (void)events, (void)early, (void)required, (void)n;
    (void)update;
    if (token == NULL || strcmp(token, TOKEN) != 0)
        return NULL;
    it = (Instance *)calloc(1, sizeof(Instance));
    if (it != NULL) {
        it->environment = environment;
        it->log = log;
        restart(it);
    }
    return it;
}

PUBLIC void *fmi3InstantiateModelExchange(const char *name, const char *token, const char *resources, bool visible,
    bool logging, void *environment, Log log)
{
    (void)name, (void)token, (void)resources, (void)visible, (void)logging, (void)environment, (void)log;
    return NULL;
}

PUBLIC void *fmi3InstantiateScheduledExecution(const char *name, const char *token, const char *resources, bool visible,
    bool logging, void *environment, Log log, void *clock, void *lock, void *unlock)
{
    (void)name, (void)token, (void)resources, (void)visible, (void)logging, (void)environment, (void)log;
    (void)clock, (void)lock, (void)unlock;
    return NULL;
}

PUBLIC void fmi3FreeInstance(void *i) { free(i); }

PUBLIC Answer fmi3EnterInitializationMode(void *i, bool tolerant, double tolerance, double start, bool ends, double stop)
{
    (void)tolerant, (void)tolerance, (void)ends, (void)stop;
    ((Instance *)i)->values[0] = start;
    return OK;
}

PUBLIC Answer fmi3ExitInitializationMode(void *i)
{
    Instance *it = (Instance *)i;
    begin(it->values, &it->robot);
    refresh(it->values, &it->robot);
    return OK;
}

PUBLIC Answer fmi3EnterEventMode(void *i) { (void)i; return OK; }
PUBLIC Answer fmi3EnterStepMode(void *i) { (void)i; return OK; }
PUBLIC Answer fmi3EnterConfigurationMode(void *i) { (void)i; return FAILED; }
PUBLIC Answer fmi3ExitConfigurationMode(void *i) { (void)i; return FAILED; }
PUBLIC Answer fmi3Terminate(void *i) { (void)i; return OK; }

PUBLIC Answer fmi3Reset(void *i)
{
    restart((Instance *)i);
    return OK;
}

PUBLIC Answer fmi3GetFloat64(void *i, const Ref refs[], size_t n, double values[], size_t m)
{
    Instance *it = (Instance *)i;
    size_t k;
    refresh(it->values, &it->robot);
    for (k = 0; k < n && k < m; ++k) {
        if (refs[k] >= VALUES || refs[k] == STATUS)
            return failed(it, "no such Float64 variable");
        values[k] = it->values[refs[k]];
    }
    return OK;
}

PUBLIC Answer fmi3SetFloat64(void *i, const Ref refs[], size_t n, const double values[], size_t m)
{
    Instance *it = (Instance *)i;
    size_t k;
    for (k = 0; k < n && k < m; ++k) {
        if (refs[k] >= VALUES || refs[k] == STATUS)
            return failed(it, "no such Float64 variable");
        it->values[refs[k]] = values[k];
    }
    return OK;
}

PUBLIC Answer fmi3GetInt32(void *i, const Ref refs[], size_t n, int32_t values[], size_t m)
{
    Instance *it = (Instance *)i;
    size_t k;
    refresh(it->values, &it->robot);
    for (k = 0; k < n && k < m; ++k) {
        if (refs[k] != STATUS)
            return failed(it, "no such Int32 variable");
        values[k] = (int32_t)it->values[STATUS];
    }
    return OK;
}

PUBLIC Answer fmi3DoStep(void *i, double now, double step, bool forget, bool *event, bool *end, bool *early, double *last)
{
    Instance *it = (Instance *)i;
    Advance went;
    (void)forget;
    *event = *early = false;
    went = advance(it->values, &it->robot, step);
    *end = went == STOPPED;
    it->values[0] = *last = went == BAD_INPUT ? now : now + step;
    refresh(it->values, &it->robot);
    if (went == BAD_INPUT)
        return failed(it, "a force or the wrench is not a finite number");
    if (went == STOPPED && it->log != NULL)
        it->log(it->environment, WARNING, "logStatusWarning",
            "the robot stopped at a pose that it cannot pass: a leg is at the end of its reach, see status");
    return went == STOPPED ? WARNING : OK;
}

PUBLIC Answer fmi3GetFMUState(void *i, void **state)
{
    if (*state == NULL)
        *state = malloc(sizeof(Instance));
    if (*state == NULL)
        return failed((Instance *)i, "out of memory");
    memcpy(*state, i, sizeof(Instance));
    return OK;
}

PUBLIC Answer fmi3SetFMUState(void *i, void *state)
{
    Instance *it = (Instance *)i;
    memcpy(it->values, ((Instance *)state)->values, sizeof it->values);
    it->robot = ((Instance *)state)->robot;
    return OK;
}

PUBLIC Answer fmi3FreeFMUState(void *i, void **state)
{
    (void)i;
    free(*state);
    *state = NULL;
    return OK;
}

#define NONE(type, kind) \
    PUBLIC Answer fmi3Get##kind(void *i, const Ref r[], size_t n, type v[], size_t m) \
    { (void)i, (void)r, (void)n, (void)v, (void)m; return n ? FAILED : OK; } \
    PUBLIC Answer fmi3Set##kind(void *i, const Ref r[], size_t n, const type v[], size_t m) \
    { (void)i, (void)r, (void)n, (void)v, (void)m; return n ? FAILED : OK; }
NONE(float, Float32)
NONE(int8_t, Int8)
NONE(uint8_t, UInt8)
NONE(int16_t, Int16)
NONE(uint16_t, UInt16)
NONE(uint32_t, UInt32)
NONE(int64_t, Int64)
NONE(uint64_t, UInt64)
NONE(bool, Boolean)

PUBLIC Answer fmi3SetInt32(void *i, const Ref r[], size_t n, const int32_t v[], size_t m)
{
    (void)i, (void)r, (void)v, (void)m;
    return n ? FAILED : OK;
}

/* What this unit does not offer, and says so in its description: the other parameters are never looked at. */
#define NOT_OFFERED(name) \
    PUBLIC Answer name(void *i); \
    PUBLIC Answer name(void *i) { (void)i; return FAILED; }
NOT_OFFERED(fmi3ActivateModelPartition)
NOT_OFFERED(fmi3CompletedIntegratorStep)
NOT_OFFERED(fmi3DeserializeFMUState)
NOT_OFFERED(fmi3EnterContinuousTimeMode)
NOT_OFFERED(fmi3EvaluateDiscreteStates)
NOT_OFFERED(fmi3GetAdjointDerivative)
NOT_OFFERED(fmi3GetBinary)
NOT_OFFERED(fmi3GetClock)
NOT_OFFERED(fmi3GetContinuousStateDerivatives)
NOT_OFFERED(fmi3GetContinuousStates)
NOT_OFFERED(fmi3GetDirectionalDerivative)
NOT_OFFERED(fmi3GetEventIndicators)
NOT_OFFERED(fmi3GetIntervalDecimal)
NOT_OFFERED(fmi3GetIntervalFraction)
NOT_OFFERED(fmi3GetNominalsOfContinuousStates)
NOT_OFFERED(fmi3GetNumberOfContinuousStates)
NOT_OFFERED(fmi3GetNumberOfEventIndicators)
NOT_OFFERED(fmi3GetNumberOfVariableDependencies)
NOT_OFFERED(fmi3GetOutputDerivatives)
NOT_OFFERED(fmi3GetShiftDecimal)
NOT_OFFERED(fmi3GetShiftFraction)
NOT_OFFERED(fmi3GetString)
NOT_OFFERED(fmi3GetVariableDependencies)
NOT_OFFERED(fmi3SerializeFMUState)
NOT_OFFERED(fmi3SerializedFMUStateSize)
NOT_OFFERED(fmi3SetBinary)
NOT_OFFERED(fmi3SetClock)
NOT_OFFERED(fmi3SetContinuousStates)
NOT_OFFERED(fmi3SetIntervalDecimal)
NOT_OFFERED(fmi3SetIntervalFraction)
NOT_OFFERED(fmi3SetShiftDecimal)
NOT_OFFERED(fmi3SetShiftFraction)
NOT_OFFERED(fmi3SetString)
NOT_OFFERED(fmi3SetTime)
NOT_OFFERED(fmi3UpdateDiscreteStates)
