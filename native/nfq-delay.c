/*
 * Delays, loses or holds back the packets of netfilter queues, for kernels without tc netem.
 *
 *   nfq-delay delay DELAY_MS JITTER_MS SEED QUEUE...
 *   nfq-delay loss SHARE SEED QUEUE...
 *   nfq-delay rate BITS_PER_SECOND QUEUE...
 *
 * Speaks to NETLINK_NETFILTER directly and needs no library. It runs in the network namespace whose rules feed the
 * queues and needs CAP_NET_ADMIN there. Prints {"ready":true} once the queues are bound. Every line on standard input
 * is answered with one line of statistics. When standard input ends, or at SIGTERM, it lets go of every packet that
 * it holds and exits, so it never outlives the process that started it.
 *
 * delay: each packet is held for DELAY_MS give or take JITTER_MS (uniform), but never let go before an earlier packet of
 * the same queue: a path delays, it does not reorder.
 * loss: each packet is dropped with the probability SHARE (0 to 1), or let through at once.
 * rate: each queue is a link of so many bits a second. Packets within a burst of 20 ms go through at once, others wait
 * for their turn, and what would wait for more than 200 ms is dropped, as a full buffer does.
 *
 * Every queue draws from a sequence of its own, which its place in the list and SEED determine.
 *
 * Feed queues from rules on the receiver's INPUT. A packet held on the sender's OUTPUT counts as unsent there, and TCP
 * stops sending after a few of them.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <linux/netfilter.h>
#include <linux/netfilter/nfnetlink.h>
#include <linux/netfilter/nfnetlink_queue.h>
#include <linux/netlink.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#ifndef SOL_NETLINK
#define SOL_NETLINK 270
#endif

enum {
  MAX_QUEUES = 256,
  MAX_HELD = 1 << 17,
  QUEUE_LENGTH = 100000,
  /* The header is all that is looked at; the packet itself stays in the kernel. */
  COPY_BYTES = 64,
  BURST_MS = 20,
  BUFFER_MS = 200,
};

typedef enum { DELAY, LOSS, RATE } Treatment;

typedef struct {
  uint16_t number;
  uint64_t seen;
  uint64_t delayed;
  uint64_t dropped;
  uint64_t direct;
  uint64_t held_ns;
  uint64_t last_due;
  /* rate: when the link has sent everything that was let on it. */
  uint64_t busy_until;
  unsigned short random[3];
} Queue;

typedef struct {
  uint64_t due;
  uint64_t arrived;
  uint32_t id;
  int queue;
} Packet;

static int netlink;
static Queue queues[MAX_QUEUES];
static int queue_count;
static Packet heap[MAX_HELD];
static int heap_size;
static uint64_t max_late_ns;
static volatile sig_atomic_t stopped;

static uint64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* ---- the packets that are held, the next one due on top ---- */

/* Equal times keep the order of arrival: ids of a queue grow. */
static int before(const Packet *a, const Packet *b) {
  if (a->due != b->due) return a->due < b->due;
  return a->arrived < b->arrived;
}

static void heap_push(Packet packet) {
  int i = heap_size++;
  while (i > 0 && before(&packet, &heap[(i - 1) / 2])) {
    heap[i] = heap[(i - 1) / 2];
    i = (i - 1) / 2;
  }
  heap[i] = packet;
}

static Packet heap_pop(void) {
  Packet top = heap[0];
  Packet last = heap[--heap_size];
  int i = 0;
  for (;;) {
    int child = 2 * i + 1;
    if (child >= heap_size) break;
    if (child + 1 < heap_size && before(&heap[child + 1], &heap[child])) child++;
    if (!before(&heap[child], &last)) break;
    heap[i] = heap[child];
    i = child;
  }
  heap[i] = last;
  return top;
}

/* ---- messages to the kernel ---- */

typedef struct {
  union {
    struct nlmsghdr header;
    char bytes[256];
  };
} Message;

static void begin(Message *message, uint16_t type, uint16_t flags, uint16_t queue) {
  memset(message, 0, sizeof *message);
  message->header.nlmsg_len = NLMSG_LENGTH(sizeof(struct nfgenmsg));
  message->header.nlmsg_type = (NFNL_SUBSYS_QUEUE << 8) | type;
  message->header.nlmsg_flags = NLM_F_REQUEST | flags;
  struct nfgenmsg *generic = NLMSG_DATA(&message->header);
  generic->nfgen_family = AF_UNSPEC;
  generic->version = NFNETLINK_V0;
  generic->res_id = htons(queue);
}

static void attribute(Message *message, uint16_t type, const void *data, uint16_t length) {
  struct nlattr *a = (struct nlattr *)(message->bytes + NLMSG_ALIGN(message->header.nlmsg_len));
  a->nla_type = type;
  a->nla_len = NLA_HDRLEN + length;
  memcpy((char *)a + NLA_HDRLEN, data, length);
  message->header.nlmsg_len = NLMSG_ALIGN(message->header.nlmsg_len) + NLA_ALIGN(a->nla_len);
}

static int transmit(const Message *message) {
  return send(netlink, message->bytes, message->header.nlmsg_len, 0) < 0 ? -errno : 0;
}

/* Sends and waits for the acknowledgement. Packets of queues that are bound already are left to fail open. */
static int ask(const Message *message) {
  int failed = transmit(message);
  if (failed) return failed;
  for (;;) {
    static char buffer[1 << 16] __attribute__((aligned(8)));
    ssize_t length = recv(netlink, buffer, sizeof buffer, 0);
    if (length < 0) {
      if (errno == EINTR) continue;
      return -errno;
    }
    const struct nlmsghdr *header = (const struct nlmsghdr *)buffer;
    if (length >= (ssize_t)NLMSG_LENGTH(sizeof(struct nlmsgerr)) && header->nlmsg_type == NLMSG_ERROR)
      return ((const struct nlmsgerr *)NLMSG_DATA(header))->error;
  }
}

static void judge(int queue, uint32_t id, uint32_t judgement) {
  Message message;
  struct nfqnl_msg_verdict_hdr verdict = {htonl(judgement), htonl(id)};
  begin(&message, NFQNL_MSG_VERDICT, 0, queues[queue].number);
  attribute(&message, NFQA_VERDICT_HDR, &verdict, sizeof verdict);
  transmit(&message);
}

static int bind_queue(uint16_t number) {
  Message message;
  struct nfqnl_msg_config_cmd command = {NFQNL_CFG_CMD_BIND, 0, htons(AF_INET)};
  begin(&message, NFQNL_MSG_CONFIG, NLM_F_ACK, number);
  attribute(&message, NFQA_CFG_CMD, &command, sizeof command);
  int failed = ask(&message);
  if (failed) return failed;

  struct nfqnl_msg_config_params params = {htonl(COPY_BYTES), NFQNL_COPY_PACKET};
  uint32_t length = htonl(QUEUE_LENGTH);
  uint32_t flags = htonl(NFQA_CFG_F_GSO | NFQA_CFG_F_FAIL_OPEN);
  begin(&message, NFQNL_MSG_CONFIG, NLM_F_ACK, number);
  attribute(&message, NFQA_CFG_PARAMS, &params, sizeof params);
  attribute(&message, NFQA_CFG_QUEUE_MAXLEN, &length, sizeof length);
  attribute(&message, NFQA_CFG_FLAGS, &flags, sizeof flags);
  attribute(&message, NFQA_CFG_MASK, &flags, sizeof flags);
  return ask(&message);
}

/* ---- what happens to a packet ---- */

static Treatment treatment;
static double delay_ms;
static double jitter_ms;
static double share;
static double bits_per_second;

static void let_through(int queue, uint32_t id) {
  queues[queue].direct++;
  judge(queue, id, NF_ACCEPT);
}

static void drop(int queue, uint32_t id) {
  queues[queue].dropped++;
  judge(queue, id, NF_DROP);
}

static void hold(int queue, uint32_t id, uint64_t arrived, uint64_t due) {
  Queue *q = &queues[queue];
  if (heap_size == MAX_HELD) {
    let_through(queue, id);
    return;
  }
  if (due < q->last_due) due = q->last_due;
  q->last_due = due;
  heap_push((Packet){due, arrived, id, queue});
}

/* A virtual clock runs ahead of the real one by what the link still has to send. */
static void pace(int queue, uint32_t id, uint32_t bytes) {
  Queue *q = &queues[queue];
  uint64_t now = now_ns();
  uint64_t burst = BURST_MS * 1000000ull, buffer = BUFFER_MS * 1000000ull;
  uint64_t start = q->busy_until > now ? q->busy_until : now;
  if (start > now + burst + buffer) {
    drop(queue, id);
    return;
  }
  q->busy_until = start + (uint64_t)(bytes * 8.0 / bits_per_second * 1e9);
  if (start <= now + burst) let_through(queue, id);
  else hold(queue, id, now, start - burst);
}

static void treat(int queue, uint32_t id, uint32_t bytes) {
  Queue *q = &queues[queue];
  q->seen++;
  if (treatment == RATE) {
    pace(queue, id, bytes);
  } else if (treatment == LOSS) {
    if (erand48(q->random) < share) drop(queue, id);
    else let_through(queue, id);
  } else {
    uint64_t now = now_ns();
    double wait_ms = delay_ms + jitter_ms * (2 * erand48(q->random) - 1);
    hold(queue, id, now, now + (wait_ms > 0 ? (uint64_t)(wait_ms * 1e6) : 0));
  }
}

static void release(uint64_t until) {
  while (heap_size > 0 && heap[0].due <= until) {
    Packet packet = heap_pop();
    uint64_t now = now_ns();
    judge(packet.queue, packet.id, NF_ACCEPT);
    queues[packet.queue].delayed++;
    queues[packet.queue].held_ns += now - packet.arrived;
    if (now > packet.due && now - packet.due > max_late_ns) max_late_ns = now - packet.due;
  }
}

static int queue_index(uint16_t number) {
  for (int i = 0; i < queue_count; i++)
    if (queues[i].number == number) return i;
  return -1;
}

/* Lengths are compared as signed numbers: a short attribute must not wrap around. */
static void take(const struct nlmsghdr *header) {
  if (header->nlmsg_type != ((NFNL_SUBSYS_QUEUE << 8) | NFQNL_MSG_PACKET)) return;
  int left = (int)header->nlmsg_len - (int)NLMSG_LENGTH(sizeof(struct nfgenmsg));
  if (left < 0) return;
  const struct nfgenmsg *generic = NLMSG_DATA(header);
  int queue = queue_index(ntohs(generic->res_id));
  if (queue < 0) return;
  const char *at = (const char *)generic + NLMSG_ALIGN(sizeof *generic);
  int found = 0;
  uint32_t id = 0, bytes = 0, whole = 0;
  while (left >= (int)NLA_HDRLEN) {
    const struct nlattr *a = (const struct nlattr *)at;
    const void *value = at + NLA_HDRLEN;
    int length = a->nla_len;
    int size = length - (int)NLA_HDRLEN;
    if (size < 0 || length > left) break;
    int type = a->nla_type & NLA_TYPE_MASK;
    if (type == NFQA_PACKET_HDR && size >= (int)sizeof(struct nfqnl_msg_packet_hdr)) {
      id = ntohl(((const struct nfqnl_msg_packet_hdr *)value)->packet_id);
      found = 1;
    } else if (type == NFQA_PAYLOAD) {
      bytes = (uint32_t)size;
    } else if (type == NFQA_CAP_LEN && size >= (int)sizeof whole) {
      /* Only there when the payload was cut short. */
      memcpy(&whole, value, sizeof whole);
      whole = ntohl(whole);
    }
    at += NLA_ALIGN(length);
    left -= (int)NLA_ALIGN(length);
  }
  if (found) treat(queue, id, whole > 0 ? whole : bytes);
}

static void receive(void) {
  static char buffer[1 << 17] __attribute__((aligned(8)));
  for (;;) {
    ssize_t length = recv(netlink, buffer, sizeof buffer, MSG_DONTWAIT);
    if (length <= 0) return;
    int left = (int)length;
    for (struct nlmsghdr *h = (struct nlmsghdr *)buffer; left >= (int)sizeof *h && NLMSG_OK(h, left);
         h = NLMSG_NEXT(h, left))
      take(h);
  }
}

static void print_statistics(int exiting) {
  printf("{\"queues\":[");
  for (int i = 0; i < queue_count; i++) {
    const Queue *q = &queues[i];
    printf("%s{\"queue\":%d,\"seen\":%llu,\"delayed\":%llu,\"dropped\":%llu,\"direct\":%llu,\"heldMs\":%.3f}",
           i ? "," : "", q->number, (unsigned long long)q->seen, (unsigned long long)q->delayed,
           (unsigned long long)q->dropped, (unsigned long long)q->direct, (double)q->held_ns / 1e6);
  }
  printf("],\"holding\":%d,\"maxLateMs\":%.3f%s}\n", heap_size, (double)max_late_ns / 1e6,
         exiting ? ",\"exit\":true" : "");
  fflush(stdout);
}

/* Answers every line; returns 0 when standard input has ended. */
static int answer(void) {
  char buffer[256];
  ssize_t length = read(STDIN_FILENO, buffer, sizeof buffer);
  if (length < 0) return errno == EINTR || errno == EAGAIN;
  for (ssize_t i = 0; i < length; i++)
    if (buffer[i] == '\n') print_statistics(0);
  return length > 0;
}

static void on_signal(int signal) {
  (void)signal;
  stopped = 1;
}

static int fail(const char *doing, int error) {
  fprintf(stderr, "nfq-delay: %s: %s\n", doing, strerror(error));
  return 1;
}

/* Reads the treatment and its numbers; returns where the queues begin, 0 when the arguments are not understood. */
static int read_treatment(int argc, char **argv, long *seed) {
  const char *name = argc > 1 ? argv[1] : "";
  if (strcmp(name, "delay") == 0 && argc > 5) {
    treatment = DELAY;
    delay_ms = atof(argv[2]);
    jitter_ms = atof(argv[3]);
    *seed = atol(argv[4]);
    return 5;
  }
  if (strcmp(name, "loss") == 0 && argc > 4) {
    treatment = LOSS;
    share = atof(argv[2]);
    *seed = atol(argv[3]);
    return 4;
  }
  if (strcmp(name, "rate") == 0 && argc > 3) {
    treatment = RATE;
    bits_per_second = atof(argv[2]);
    return bits_per_second > 0 ? 3 : 0;
  }
  return 0;
}

static void seed_queue(Queue *queue, int place, long seed) {
  uint64_t mixed = ((uint64_t)seed + 1) * 0x9e3779b97f4a7c15u + (uint64_t)place * 0xbf58476d1ce4e5b9u;
  mixed = (mixed ^ (mixed >> 31)) * 0x94d049bb133111ebu;
  for (int i = 0; i < 3; i++) queue->random[i] = (unsigned short)(mixed >> (16 * i + 16));
}

int main(int argc, char **argv) {
  long seed = 0;
  int first = read_treatment(argc, argv, &seed);
  if (first == 0 || argc - first > MAX_QUEUES) {
    fprintf(stderr, "usage: nfq-delay delay DELAY_MS JITTER_MS SEED QUEUE...\n"
                    "       nfq-delay loss SHARE SEED QUEUE...\n"
                    "       nfq-delay rate BITS_PER_SECOND QUEUE...\n");
    return 2;
  }

  struct sigaction action = {.sa_handler = on_signal};
  sigaction(SIGTERM, &action, NULL);
  sigaction(SIGINT, &action, NULL);
  signal(SIGPIPE, SIG_IGN);

  netlink = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_NETFILTER);
  struct sockaddr_nl address = {.nl_family = AF_NETLINK};
  if (netlink < 0 || bind(netlink, (struct sockaddr *)&address, sizeof address) < 0) return fail("netlink", errno);
  /* A burst must not end the conversation: what does not fit fails open, and the rule's counter shows it. */
  int on = 1, bytes = 16 << 20;
  setsockopt(netlink, SOL_NETLINK, NETLINK_NO_ENOBUFS, &on, sizeof on);
  setsockopt(netlink, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof bytes);
  for (int i = first; i < argc; i++) {
    seed_queue(&queues[queue_count], i - first, seed);
    queues[queue_count++].number = (uint16_t)atoi(argv[i]);
    int failed = bind_queue((uint16_t)atoi(argv[i]));
    if (failed) return fail("binding a queue", -failed);
  }
  printf("{\"ready\":true}\n");
  fflush(stdout);

  while (!stopped) {
    uint64_t now = now_ns();
    release(now);
    struct timespec wait = {0, 0};
    if (heap_size > 0) {
      uint64_t left = heap[0].due > now ? heap[0].due - now : 0;
      wait.tv_sec = (time_t)(left / 1000000000u);
      wait.tv_nsec = (long)(left % 1000000000u);
    }
    struct pollfd watched[2] = {{netlink, POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}};
    if (ppoll(watched, 2, heap_size > 0 ? &wait : NULL, NULL) < 0) continue;
    if (watched[0].revents) receive();
    if (watched[1].revents && !answer()) break;
  }
  release(UINT64_MAX);
  print_statistics(1);
  return 0;
}
