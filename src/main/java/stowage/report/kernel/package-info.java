/** Pictures of kernel plans: pipes as a Gantt chart above the caches' addresses. */
package stowage.report.kernel;
