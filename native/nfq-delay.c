/*
 * Holds the packets of netfilter queues for a while: a delay for kernels without tc netem.
 *
 *   nfq-delay DELAY_MS JITTER_MS SEED QUEUE...
 *
 * Speaks to NETLINK_NETFILTER directly and needs no library. It runs in the network namespace whose rules feed the
 * queues and needs CAP_NET_ADMIN there. Prints {"ready":true} once the queues are bound. Every line on standard input
 * is answered with one line of statistics. When standard input ends, or at SIGTERM, it lets go of every packet that
 * it holds and exits, so it never outlives the process that started it.
 *
 * Each packet is held for DELAY_MS give or take JITTER_MS (uniform), but never let go before an earlier packet of the
 * same queue: a path delays, it does not reorder.
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
};

typedef struct {
  uint16_t number;
  uint64_t seen;
  uint64_t delayed;
  uint64_t held_ns;
  uint64_t last_due;
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

static void accept_packet(int queue, uint32_t id) {
  Message message;
  struct nfqnl_msg_verdict_hdr verdict = {htonl(NF_ACCEPT), htonl(id)};
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

static double delay_ms;
static double jitter_ms;

static void hold(int queue, uint32_t id) {
  Queue *q = &queues[queue];
  q->seen++;
  if (heap_size == MAX_HELD) {
    accept_packet(queue, id);
    return;
  }
  uint64_t arrived = now_ns();
  double wait_ms = delay_ms + jitter_ms * (2 * drand48() - 1);
  uint64_t due = arrived + (wait_ms > 0 ? (uint64_t)(wait_ms * 1e6) : 0);
  if (due < q->last_due) due = q->last_due;
  q->last_due = due;
  heap_push((Packet){due, arrived, id, queue});
}

static void release(uint64_t until) {
  while (heap_size > 0 && heap[0].due <= until) {
    Packet packet = heap_pop();
    uint64_t now = now_ns();
    accept_packet(packet.queue, packet.id);
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
  while (left >= (int)NLA_HDRLEN) {
    const struct nlattr *a = (const struct nlattr *)at;
    int length = a->nla_len;
    if (length < (int)NLA_HDRLEN || length > left) return;
    int is_header = (a->nla_type & NLA_TYPE_MASK) == NFQA_PACKET_HDR;
    if (is_header && length >= (int)(NLA_HDRLEN + sizeof(struct nfqnl_msg_packet_hdr))) {
      const struct nfqnl_msg_packet_hdr *packet = (const void *)(at + NLA_HDRLEN);
      hold(queue, ntohl(packet->packet_id));
      return;
    }
    at += NLA_ALIGN(length);
    left -= (int)NLA_ALIGN(length);
  }
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
    printf("%s{\"queue\":%d,\"seen\":%llu,\"delayed\":%llu,\"heldMs\":%.3f}", i ? "," : "", q->number,
           (unsigned long long)q->seen, (unsigned long long)q->delayed, (double)q->held_ns / 1e6);
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

int main(int argc, char **argv) {
  if (argc < 5 || argc - 4 > MAX_QUEUES) {
    fprintf(stderr, "usage: nfq-delay DELAY_MS JITTER_MS SEED QUEUE...\n");
    return 2;
  }
  delay_ms = atof(argv[1]);
  jitter_ms = atof(argv[2]);
  srand48(atol(argv[3]));

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
  for (int i = 4; i < argc; i++) {
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
